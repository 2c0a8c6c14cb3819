"""Published results reproduced: one folder per paper, one file per figure or table.

Folders do not import each other; what two of them need is in `study/` or `worlds/`.
"""
