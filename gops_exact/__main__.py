"""The program's entry, for ``python -m gops_exact`` and for the script that pip installs."""

import sys

ADDRESS_SPACE = 256 * 10**6
"""Least address space, in bytes, with which the program runs. With less, threads fail to start, pools of processes
wait for ever, and libraries cannot be loaded."""


def main() -> int:
    """Run the program and return its exit status.

    A signal ends the program with one line on stderr, even while modules are loaded.
    """
    try:
        import signal

        from gops_exact.base.machine import require_address_space
        from gops_exact.commands import end_at_once, program, unhandled

        for number in unhandled():
            signal.signal(number, end_at_once)
        require_address_space(ADDRESS_SPACE, "processes and their threads")
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
