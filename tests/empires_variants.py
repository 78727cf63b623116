"""Rules of Eggs and Empires beside the published ones, by name."""

from empires import Rules

EMPIRES_VARIANTS = {
    "three players": Rules(),
    "two players": Rules(players=2),
    "six players": Rules(players=6),
    "con pub": Rules(players=4, con_pub=True),
    "blacksmith waits, harsher deck": Rules(
        players=5, deck="harsher", shepherd="blacksmith_waits", mulligan="first_round"
    ),
    "few cards": Rules(
        players=2, decks=1, adventurers=(2, 4, 6, 7, 8), hand=2, turns=4, rounds=2,
        deck=tuple(range(-5, 7)),
    ),
    "short deck": Rules(deck=(3, -2, 5, 0, -7, 1), turns=4, rounds=2, mulligan="off"),
    "most eggs": Rules(deck=(*range(-20, 0), *range(44)), revealed=4),
}  # fmt: skip
