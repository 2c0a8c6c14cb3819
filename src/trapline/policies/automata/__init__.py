"""Learning automata that choose what to poll (paper `htraa`): what they share. Each has a file of its own one up."""
