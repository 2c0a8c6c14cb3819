"""The blocks of a page, and which of them are its main content.

In: the bytes of a page. Out: its text, one block a line. `block_walk` goes over the tags once and
notes blocks (`letters`) and the elements around them (`open_elements`). `layout` says where the
prose is, `features` what is looked at in a block, `weights` what that means, `block_choice`
which blocks are read, and `block_completion` what belongs to them.
"""
