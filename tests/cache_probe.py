"""Play a little and tell what it took: python -m tests.cache_probe [AGENT]."""

import hashlib
import json
import os
import sys
import warnings
from pathlib import Path

from numba.core import event


def main() -> None:
    """Print a hash of what was played, the functions compiled, the files kept, the warnings."""
    agent = sys.argv[1] if len(sys.argv) > 1 else "random"
    with (
        warnings.catch_warnings(record=True) as caught,
        event.install_recorder("numba:compile") as compiled,
    ):
        warnings.simplefilter("always", RuntimeWarning)
        import ostrich
        from simulator import simulate

        line_up = [agent, "random", "random"]
        result = simulate(ostrich.Game(), line_up, 500, seed=1, keep="all")
    folder = Path(os.environ["NUMBA_CACHE_DIR"])
    report = {
        "digest": hashlib.sha256(result.totals.tobytes() + result.scores.tobytes()).hexdigest(),
        "compiled": sum(record.is_start for _, record in compiled.buffer),
        "files": sum(path.suffix in (".nbi", ".nbc") for path in folder.rglob("*")),
        "warnings": [
            str(one.message) for one in caught if issubclass(one.category, RuntimeWarning)
        ],
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
