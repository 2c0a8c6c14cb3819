"""Lists of other programs that watch pages, taken over: urlwatch and changedetection.io.

In: their files. Out: pages in our own form, and for each what could not be taken over.
"""
