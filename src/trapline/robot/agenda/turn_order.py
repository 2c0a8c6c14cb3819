"""Whose turn it is on an address: of the hosts that want one, the one that was served longest ago.

So nobody waits for more than its own gap and one turn of each neighbour, however dear their pages.
"""

from __future__ import annotations

from trapline.core.cards import BY_DUE, IDLE
from trapline.robot.agenda.heaps import top_card
from trapline.robot.agenda.tables import Books
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _wants_turn(books: Books, host: int, now_s: float) -> bool:
    """Whether something is offered on an idle host that is worth a visit now."""
    hosts = books.hosts
    if hosts["state"][host] != IDLE:
        return False
    if hosts["fringe_size"][host] > 0:
        return True
    return (
        hosts["due_size"][host] > 0
        and books.cards["due"][top_card(books, BY_DUE, host)] <= now_s
    )


@bare_kernel
def host_in_turn(books: Books, host: int, now_s: float) -> int:
    """Whose turn it is on the address of an idle host: its own, or that of a neighbour that was
    served longer ago.
    """
    hosts = books.hosts
    served = hosts["served"]
    turn = host
    other = books.addresses["first_waiting"][hosts["address"][host]]
    while other >= 0:
        # a total order, so that the layout of the list does not show
        earlier = served[other] < served[turn] or (
            served[other] == served[turn] and turn != host and other < turn
        )
        if earlier and _wants_turn(books, other, now_s):
            turn = other
        other = hosts["next_waiting"][other]
    return turn
