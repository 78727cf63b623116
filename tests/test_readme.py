"""What README.md shows works, word for word; every link leads somewhere."""

import re
import shlex
import subprocess
from pathlib import Path

import pytest
import typer.main
from typer.exceptions import TyperException

import empires
import ostrich
from experiments.commands import app
from simulator import simulate
from simulator.registry import make_agent
from tests.processes import ROOT
from tests.sizes import size

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", README, flags=re.MULTILINE | re.DOTALL)
OWN = {block.split()[1]: block for block in BLOCKS if re.match(r"# \w+\.py\n", block)}
OTHERS = [block for block in BLOCKS if block not in OWN.values()]
COMMANDS = re.findall(r"^clutch [^\n#]*", README, flags=re.MULTILINE)
LINKED = [
    "README.md",
    "CONTRIBUTING.md",
    "ostrich/README.md",
    "empires/README.md",
    "tests/README.md",
]
EMPIRE = "empire.py"
NAMES = {"mine.py": "Hunter", "lanes.py": "Hunter", "fast.py": "hunter"}


@pytest.fixture
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the agents of README.md."""
    for name, block in OWN.items():
        (tmp_path / name).write_text(block)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_there_is_one_for_each_way_in() -> None:
    assert OWN.keys() == {*NAMES, EMPIRE}


def test_an_agent_of_empires_that_makes_one_decision_of_its_own(own_files: Path) -> None:
    game, played = empires.Game(), []
    for thing in ("Cautious", "CautiousLanes", "cautious"):
        line_up = [f"{EMPIRE}:{thing}", "random", "greedy"]
        result = simulate(game, line_up, size(300, 5), 5, threads=1, keep="all")
        played.append([part.tobytes() for part in (result.totals, result.returns, result.scores)])
    assert played[0] == played[1] == played[2]


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_takes_ten_lines(name: str) -> None:
    lines = [line.strip() for line in OWN[name].splitlines()]
    code = [
        line for line in lines if line and not line.startswith(("#", '"""', "import ", "from "))
    ]
    assert 3 <= len(code) <= 10


def test_all_ways_in_play_alike(own_files: Path) -> None:
    game = ostrich.Game()
    played = {}
    for name, thing in NAMES.items():
        agent = make_agent(f"{name}:{thing}", game)
        assert agent.about == "Skips on ambers whenever it can, else claims for its largest bag."
        line_up = [agent, "random", agent]
        result = simulate(game, line_up, size(3000, 20), 5, threads=1, keep="all")
        played[name] = [part.tobytes() for part in (result.totals, result.returns, result.scores)]
    assert played["mine.py"] == played["lanes.py"]
    assert played["mine.py"] == played["fast.py"]


@pytest.mark.compiled_only
def test_what_is_shown_from_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = OTHERS
    assert "simulate(" in block
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    out = capsys.readouterr().out
    assert "round 10 of 10, over" in out
    for column in ("agent", "win_share", "low", "bags_broken", "out"):
        assert column in out
    assert re.search(r"^0 +greedy +0\.\d+", out, flags=re.MULTILINE)
    assert re.search(r"^\[[01. ]+\]$", out, flags=re.MULTILINE)  # the policy


def test_there_are_commands() -> None:
    names = {"agents", "tournament", "replay", "play", "cards", "bench"}
    names |= {"solve", "gain", "check-certificate", "train", "exploit", "league", "advise"}
    assert {line.split()[1] for line in COMMANDS} == names


@pytest.mark.parametrize("line", COMMANDS)
def test_commands_have_these_options(line: str) -> None:
    _, name, *arguments = shlex.split(line)
    group = typer.main.get_command(app)
    command = group.commands[name]
    context = command.make_context(name, list(arguments))
    assert context.params
    with pytest.raises(TyperException):  # so that this test can fail
        command.make_context(name, [*arguments, "--no-such-option"])


@pytest.mark.parametrize("file", LINKED)
def test_links_lead_somewhere(file: str) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    if file == "README.md":
        assert len(links) > 5
    for link in links:
        path = (ROOT / file).parent / link.partition("#")[0]
        assert path.exists(), f"{file} links to {link}"


def test_files_name_no_place_of_this_machine_and_no_registry() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in listed.stdout.split("\0") if name]
    assert len(names) > 50
    # Put together here, so that this file does not name them itself.
    words = ["/wo" + "rk/", "/ro" + "ot/", "/tmp/" + "venv", "index" + "-url", "py" + "pi.org"]
    words += ["python" + "hosted", "/ho" + "me/"]
    for name in names:
        path = ROOT / name
        if path.suffix in (".png", ".parquet", ".npz") or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8")
        assert [word for word in words if word in text] == [], name


def test_nothing_is_left_to_be_filled_in() -> None:
    for file in LINKED:
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.findall(r"\b[A-Z]+_TABLE\b|\bTODO\b|\bTBD\b", text) == [], file
