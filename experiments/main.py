"""The command line. Commands live in `experiments.commands`; this file turns errors into exits.

Exit codes: 0 done; 2 a request that cannot be carried out, with one clear line; 1 other failures;
130 interrupted, with what was done kept.
"""

import os
import sys

FAILED, USAGE, INTERRUPTED = 1, 2, 130


def main() -> None:
    """Run the command that the arguments name, and exit."""
    from typer import Abort
    from typer.exceptions import TyperException

    from experiments.commands import app

    try:
        app(args=sys.argv[1:] or ["--help"], standalone_mode=False)
    except TyperException as error:
        _leave(USAGE, error.format_message() if hasattr(error, "format_message") else str(error))
    except (Abort, KeyboardInterrupt):
        _leave(INTERRUPTED, "interrupted; nothing was finished, so nothing is kept")
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _leave(FAILED, "")
    except MemoryError:
        _leave(FAILED, "there is not enough memory for this")
    except Exception as error:
        if os.environ.get("CLUTCH_TRACEBACK"):
            raise
        _leave(*_meaning(error))


def _meaning(error: Exception) -> tuple[int, str]:
    """Return the exit code and the line for an error."""
    from experiments.output import Stopped
    from simulator.agents import AgentError
    from simulator.inputs import UsageError

    if isinstance(error, Stopped):
        return INTERRUPTED, str(error)
    if isinstance(error, UsageError):
        return USAGE, str(error)
    if isinstance(error, AgentError):
        return FAILED, str(error)
    if isinstance(error, OSError):
        where = f" ({error.filename})" if error.filename else ""
        return FAILED, f"{error.strerror or error}{where}"
    return FAILED, f"{type(error).__name__}: {error} (set CLUTCH_TRACEBACK=1 to see where)"


def _leave(code: int, message: str) -> None:
    """Exit with a code after one line on standard error."""
    if message:
        print("clutch: " + " ".join(message.split()), file=sys.stderr)
    if code == INTERRUPTED:  # all is written; taking compiled code apart would take half a second
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    main()
