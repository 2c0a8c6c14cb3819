"""`python -m trapline`, and what the command `trapline` runs."""

from __future__ import annotations

from trapline.app.hidden_password import begin_without_password
from trapline.app.stop_signals import ending_quietly


def main() -> None:
    with ending_quietly():
        begin_without_password()
        from trapline.app.commands.main import main as run_command

        run_command()


if __name__ == "__main__":
    main()
