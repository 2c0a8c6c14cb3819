"""Granmo & Oommen's hierarchy of learning automata for web polling (`htraa`), and what beats it."""
