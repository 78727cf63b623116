"""Variants of Ostrich small enough to be solved in a test."""

from ostrich import Rules

#: Small enough for brute force over histories.
TINY = {
    "two players": Rules(players=2, bags=(2, 3), deck=(0, 4, 5), removed=0, rounds=2),
    "two players, mixed": Rules(players=2, bags=(2, 5), deck=(3, 4, 0), removed=1, rounds=2),
    "two players, equal cards": Rules(players=2, bags=(1, 3), deck=(0, 2, 2), removed=0, rounds=2),
    "two players, three rounds": Rules(players=2, bags=(3,), deck=(0, 2, 4), removed=0, rounds=3),
    "three players": Rules(players=3, bags=(2,), deck=(0, 3), removed=0, rounds=2),
    "three players, two bags": Rules(players=3, bags=(2, 3), deck=(4, 5), removed=1, rounds=1),
    "out players can win": Rules(
        players=2, bags=(1, 2), deck=(0, 3, 4), removed=0, rounds=2, out_players_can_win=True
    ),
}

#: Too large for that, but solved in no time.
SMALL = {
    "two bags": Rules(bags=(2, 3), deck=(4, 5, 6, 0, 0), removed=0, rounds=4),
    "three bags": Rules(bags=(2, 3, 5), deck=(4, 6, 8, 0), removed=0, rounds=3),
    "four players": Rules(players=4, bags=(2, 3), deck=(4, 6, 8, 0), removed=0, rounds=3),
    "two players, four rounds": Rules(
        players=2, bags=(2, 3, 5), deck=(0, 0, 4, 5, 6), removed=1, rounds=4
    ),
    "worthless ambers": Rules(bags=(2, 4), deck=(0, 3, 5, 5), removed=1, rounds=3, amber_value=0),
}
