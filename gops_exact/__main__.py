"""The program's entry, for ``python -m gops_exact`` and for the script that pip installs."""

import sys


def main() -> int:
    """Run the program and return its exit status.

    A signal ends the program with one line on stderr, even while modules are loaded.
    """
    try:
        from gops_exact.commands import program, set_up

        set_up()
    except KeyboardInterrupt:
        sys.stderr.write("gops-exact: interrupted\n")
        return 130
    except MemoryError as error:
        sys.stderr.write(f"{program()}: {error}\n")
        return 1
    # This import takes long. A signal during the import is handled, because the handlers are already set.
    from gops_exact.commands.cli import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
