"""Asking: the parts of a broker.

In: a question, the engines that are known. Out: requests to engines that are neither too many nor
too late, what they answered as one answer, and who did not answer and why. Time is handed in;
`app/federation/broker.py` puts the parts together.
"""
