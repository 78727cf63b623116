"""Egg decks: the three that come with the game, what a file may hold, and what is refused where."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from empires import Deck, Game, Rules, deck_names, load_deck, shipped_deck

USED = {2: 22, 3: 22, 4: 22, 5: 32, 6: 42}
NEEDED = {2: 18, 3: 18, 4: 18, 5: 27, 6: 36}


def _written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_three_decks_come_with_the_game() -> None:
    assert deck_names() == ["assumed", "harsher", "milder"]
    for name in deck_names():
        deck = shipped_deck(name)
        assert (deck.name, deck.assumed, deck.may_run_out) == (name, True, False)
        assert Rules(deck=name).deck == Rules(deck=deck).deck == deck  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there is no deck 'real'; there are assumed, harsher"):
        shipped_deck("real")


@pytest.mark.parametrize("name", ["assumed", "harsher", "milder"])
def test_shipped_decks_have_42_eggs_by_marks(name: str) -> None:
    deck = shipped_deck(name)
    assert Counter(least for _, least in deck.eggs) == {2: 22, 5: 10, 6: 10}
    for players, count in USED.items():
        assert len(deck.values(players)) == count
        assert list(deck.values(players)) == sorted(deck.values(players))
        assert Rules(players=players, deck=name).eggs == deck.values(players)  # type: ignore[arg-type]


def test_the_assumed_deck_has_the_values_of_r_e1() -> None:
    deck = shipped_deck("assumed")
    by_mark: dict[int, list[int]] = {2: [], 5: [], 6: []}
    for value, least in deck.eggs:
        by_mark[least].append(value)
    assert sorted(by_mark[2]) == [*range(-10, -1), *range(1, 14)]
    assert sorted(by_mark[5]) == [-6, -4, -2, 1, 3, 5, 7, 9, 11, 12]
    assert sorted(by_mark[6]) == [-8, -5, -3, 2, 4, 6, 8, 10, 12, 13]
    assert Rules().deck == deck


def test_harsher_and_milder_are_what_they_are_called() -> None:
    def exploding(name: str) -> tuple[int, int]:
        negative = [value for value, _ in shipped_deck(name).eggs if value < 0]
        return len(negative), sum(negative)

    assert exploding("harsher")[0] == 21
    assert exploding("milder")[0] < exploding("assumed")[0] < exploding("harsher")[0]
    assert exploding("milder")[1] > exploding("assumed")[1] > exploding("harsher")[1]


def test_a_file_with_several_eggs_a_line_comments_and_one_a_line(tmp_path: Path) -> None:
    text = """# a comment with "quotes", [brackets] and a key: value = 3
name = "mine"  # another
assumed = true

[eggs]
"6p" = [-99, 0x10]
'2-4p' = [
  13, -6,  # two, [of] them
  13,
  # 55,
  1_0
]
5p = [99,]
"""
    deck = load_deck(_written(tmp_path, text))
    assert (deck.name, deck.assumed, deck.may_run_out) == ("mine", True, False)
    assert deck.eggs == ((-99, 6), (-6, 2), (10, 2), (13, 2), (13, 2), (16, 6), (99, 5))
    assert deck.values(4) == (-6, 10, 13, 13)
    assert deck.values(5) == (-6, 10, 13, 13, 99)
    lines = "".join(f"{value},\n" for value in (13, 10, -6, 13))
    other = f'assumed = true\n[eggs]\n"2-4p" = [\n{lines}]\n"5p" = [99]\n"6p" = [16, -99]\n'
    assert load_deck(_written(tmp_path, other)) == deck  # the order is of no matter, CRLF neither
    (tmp_path / "mine.toml").write_bytes(other.replace("\n", "\r\n").encode())
    assert load_deck(str(tmp_path / "mine.toml")) == deck


def test_name_and_assumed_may_be_left_out(tmp_path: Path) -> None:
    deck = load_deck(_written(tmp_path, '[eggs]\n"2-4p" = [1]\n', "some-deck.toml"))
    assert (deck.name, deck.assumed) == ("some-deck", False)
    assert Game(Rules(deck=load_deck_of(tmp_path, 18))).labels == {"egg_deck": "mine"}


def load_deck_of(folder: Path, count: int) -> Deck:
    """Return a deck of so many eggs, from a file."""
    return load_deck(_written(folder, f'[eggs]\n"2-4p" = {[1] * count}\n'))


MARKED = '[eggs]\n"2-4p" = [1, 2]\n'
#: A file, the line that is wrong, and what is said of it.
WRONG: dict[str, tuple[str, int, str]] = {
    "unknown key": (f"value = 3\n{MARKED}", 1, "'value' is none of name, assumed, eggs"),
    "unknown key later": (f'# value = 1\nname = "a"\nvalue = 3\n{MARKED}', 3, "'value' is none of"),
    "unknown table": (f"{MARKED}[more]\na = 1\n", 3, "'more' is none of"),
    "unknown mark": (f'{MARKED}"7p" = [3]\n', 3, "the mark '7p' is none of 2-4p, 5p, 6p"),
    "unknown bare mark": ("[eggs]\n\n3p = [3]\n", 3, "the mark '3p' is none of"),
    "unknown mark, inline": ('name = "a"\neggs = {"7p" = [1]}\n', 2, "the mark '7p' is none of"),
    "unknown mark, dotted": ('name = "a"\neggs."7p" = [1]\n', 2, "the mark '7p' is none of"),
    "mark called as a key": ('name = "a"\n[eggs]\nname = [1]\n', 3, "the mark 'name' is none of"),
    "fraction": (f'{MARKED}"5p" = [1, 2.5]\n', 3, "2.5 under 5p is not a whole number"),
    "fraction of none": (f'{MARKED}"5p" = [1, 2.0]\n', 3, "2.0 under 5p is not a whole number"),
    "fraction, inline": ('\neggs = {"5p" = [1, 2.5]}\n', 2, "2.5 under 5p is not a whole number"),
    "infinite": (f'{MARKED}"5p" = [\n1,\ninf]\n', 5, "inf under 5p is not a whole number"),
    "text": ('[eggs]\n"5p" = [\n 1, 2,  # [a, b]\n 3,\n\n "4, 5",\n]\n', 6, "'4, 5' under 5p"),
    "text after others": ('[eggs]\n"5p" = [1, 2,\n3, "4", 5,\n6]\n', 3, "'4' under 5p"),
    "true": (f'{MARKED}"6p" = [\n  1,\n  true,\n]\n', 5, "True under 6p is not a whole number"),
    "list in a list": (f'{MARKED}"6p" = [\n1,\n[2, 3]]\n', 5, "under 6p is not a whole number"),
    "date": (f'{MARKED}"6p" = [1, 2026-01-01]\n', 3, "under 6p is not a whole number"),
    "too high": (f'{MARKED}"6p" = [\n 99,\n 100,\n]\n', 5, "an egg is worth -99 to 99, not 100"),
    "too low": ('[eggs]\n"5p" = [\n-99, 1\n,-100]\n', 4, "an egg is worth -99 to 99, not -100"),
    "number for a list": (f'{MARKED}"5p" = 3\n', 3, "5p must be a list"),
    "table for a list": (f"{MARKED}[eggs.5p]\na = 1\n", 3, "5p must be a list"),
    "text for a list": (f'{MARKED}"5p" = "1, 2"\n', 3, "5p must be a list"),
    "name of no text": (f"\nname = 3\n{MARKED}", 2, "name must be a text, not 3"),
    "assumed of text": (f'\n\nassumed = "yes"\n{MARKED}', 3, "assumed must be true or false"),
    "assumed of number": (f"assumed = 1\n{MARKED}", 1, "assumed must be true or false"),
    "eggs without marks": ('name = "a"\neggs = [13, -6]\n', 2, "eggs must be a table"),
    "list of tables": ('name = "a"\n[[eggs]]\n"2-4p" = [1]\n', 2, "eggs must be a table"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_file_is_refused_with_its_line(what: str, tmp_path: Path) -> None:
    text, line, said = WRONG[what]
    path = _written(tmp_path, text)
    with pytest.raises(ValueError) as refused:
        load_deck(path)
    message = str(refused.value)
    assert said in message
    assert message.startswith(f"{path}, line {line}: ")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("13, -6\n", 1),
        (f'{MARKED}"5p" = [1, 2\n"6p" = [3]\n', 4),
        (f'{MARKED}"2-4p" = [3]\n', 3),
        (f'name = "a\n{MARKED}', 1),
        (f"{MARKED}'5p' = [+-1]\n", 3),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(text: str, line: int, tmp_path: Path) -> None:
    path = _written(tmp_path, text)
    with pytest.raises(ValueError, match=rf"mine\.toml is not valid TOML: .*line {line}\b"):
        load_deck(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "a"\n', r"has no \[eggs\], with lists for the marks 2-4p, 5p, 6p"),
        ("", r"has no \[eggs\]"),
        (f'[eggs]\n"2-4p" = {[1] * 60}\n"6p" = {[2] * 5}\n', "at most 64 eggs, not 65"),
        (f'name = ""\n{MARKED}', "a deck's name is 1 to 30 letters and digits, not ''"),
        (f'name = "a b"\n{MARKED}', "a deck's name is .* not 'a b'"),
        (f'name = "{"a" * 31}"\n{MARKED}', "a deck's name is 1 to 30 letters"),
    ],
)
def test_a_file_that_holds_no_deck_is_refused(text: str, said: str, tmp_path: Path) -> None:
    path = _written(tmp_path, text)
    with pytest.raises(ValueError, match=said) as refused:
        load_deck(path)
    assert str(refused.value).startswith(str(path))


def test_64_eggs_are_taken(tmp_path: Path) -> None:
    assert len(load_deck_of(tmp_path, 64).values(2)) == 64


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes('name = "Übel"\n'.encode("latin-1"))
    with pytest.raises(ValueError, match=r"latin\.toml is no deck: it is not text"):
        load_deck(latin)
    with pytest.raises(ValueError, match=r"the deck .*nowhere\.toml cannot be read: No such file"):
        load_deck(tmp_path / "nowhere.toml")
    with pytest.raises(ValueError, match=f"the deck {tmp_path} cannot be read: Is a directory"):
        load_deck(tmp_path)


@pytest.mark.parametrize("players", NEEDED)
def test_rules_refuse_a_deck_that_is_too_small(players: int, tmp_path: Path) -> None:
    needed = NEEDED[players]
    few, enough = load_deck_of(tmp_path, needed - 1), load_deck_of(tmp_path, needed)
    with pytest.raises(
        ValueError,
        match=f"deck mine has {needed - 1} eggs for {players} players; 9 turns with "
        rf"\d eggs each need {needed}",
    ):
        Rules(players=players, deck=few)
    assert len(Rules(players=players, deck=enough).eggs) == needed
    assert len(Rules(players=players, deck=few, turns=8).eggs) == needed - 1
    own = Rules(players=players, deck=[1] * (needed - 1))  # type: ignore[arg-type]
    assert (own.deck.name, own.deck.may_run_out) == ("own", True)


@pytest.mark.parametrize("deck", [(), Deck("six", ((1, 6),) * 64)])
def test_rules_refuse_a_deck_without_an_egg_for_the_players(deck: Any) -> None:
    with pytest.raises(ValueError, match="has 0 eggs for 3 players"):
        Rules(deck=deck)


def test_a_deck_is_the_same_after_being_stored() -> None:
    for deck in (*map(shipped_deck, deck_names()), Deck("a", ((3, 6), (1, 2)), True, True)):
        assert Deck.from_data(deck.as_data()) == deck
        assert Rules.from_data(Rules(deck=deck).as_data()).deck == deck
