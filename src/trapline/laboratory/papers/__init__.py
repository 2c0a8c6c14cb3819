"""The five papers, one folder each: what they print, and experiments that put our numbers beside theirs."""
