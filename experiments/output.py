"""What commands print: tables for people, one JSON object for programs, progress on the side."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Stopped(Exception):
    """Ctrl-C, with what was done kept; the message says where."""


def print_json(content: Any) -> None:
    """Print one JSON object on standard output; numbers that are not finite become null."""
    print(json.dumps(_finite(content), indent=2))


def _finite(value: Any) -> Any:
    """Return plain Python values, with None for what JSON cannot hold."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def print_table(title: str, columns: list[str], rows: list[list[str]]) -> None:
    """Print a table; the first column is text, the others are numbers."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right", no_wrap=number > 0)
    for row in rows:
        table.add_row(*map(escape, row))
    console = Console()
    if not console.is_terminal:
        console = Console(width=120)
    console.print(table)


@contextmanager
def progress_bar(title: str, total: int, silent: bool) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error if it is a terminal; yields what moves it on."""
    if silent or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)
