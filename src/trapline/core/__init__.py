"""Nouns and sockets: records, ports, errors, URLs. No work is done here."""
