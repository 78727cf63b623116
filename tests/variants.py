"""Rules beside the published ones, by name, and a Hypothesis strategy for any rules."""

from hypothesis import strategies as st

from ostrich import Rules

VARIANTS = {
    "published": Rules(),
    "two players": Rules(players=2),
    "four players": Rules(players=4),
    "one bag": Rules(bags=(5,), deck=(0, 1, 2, 3, 4, 5), removed=0, rounds=6),
    "two bags": Rules(players=2, bags=(2, 3), deck=(0, 0, 4, 5, 6), removed=1, rounds=4),
    "three bags": Rules(bags=(2, 3, 15), amber_value=0),
    "32 cards": Rules(
        players=4,
        bags=(12, 13, 14, 15),
        deck=(0,) * 8 + tuple(range(1, 24)) + (99,),
        removed=0,
        rounds=32,
        amber_value=100,
    ),
    "out players can win": Rules(bags=(1, 2), out_players_can_win=True),
}


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Draw rules of any allowed kind, small decks more often than large ones."""
    deck = draw(st.lists(st.integers(0, 12) | st.integers(0, 99), min_size=1, max_size=32))
    removed = draw(st.integers(0, len(deck) - 1))
    return Rules(
        players=draw(st.integers(2, 4)),
        bags=tuple(draw(st.sets(st.integers(1, 15), min_size=1, max_size=4))),
        deck=tuple(deck),
        removed=removed,
        rounds=draw(st.integers(1, len(deck) - removed)),
        amber_value=draw(st.integers(0, 100)),
        out_players_can_win=draw(st.booleans()),
    )
