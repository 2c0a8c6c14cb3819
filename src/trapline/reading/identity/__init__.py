"""Identity of texts: what of a text is steady, fingerprints, and near-duplicate hashes."""
