"""Settings as files and notes: what a folder keeps of them, how they changed, and how they are
written.

In: words of the command line, a settings file, what the last run noted. Out: the settings in force,
the lines that say what changed, and TOML.
"""
