"""Learning automata that choose what to poll (paper `htraa`), and what they share."""
