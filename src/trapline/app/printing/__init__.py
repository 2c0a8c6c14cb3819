"""What commands print: lines and tables for people, JSON for machines.

In: answers, states, reasons and plans. Out: standard output, on which texts of strangers do no
harm.
"""
