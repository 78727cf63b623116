"""Rules under which much happens: Hypothesis alone likes a single round of a single card best."""

from random import Random

from hypothesis import strategies as st

from ostrich import Rules
from tests.variants import any_rules


def lively(seed: int) -> Rules:
    """Return rules with several rounds, many ambers, and bags of which some soon break."""
    luck = Random(seed)
    cards = luck.randint(4, 14)
    removed = luck.randint(0, 2)
    return Rules(
        players=luck.randint(2, 4),
        bags=tuple(luck.sample(range(1, luck.choice((5, 9, 16))), luck.randint(1, 4))),
        deck=tuple(luck.choice((0, luck.randint(1, 5), luck.randint(3, 20))) for _ in range(cards)),
        removed=removed,
        rounds=cards - removed,
        amber_value=luck.randint(0, 9),
        out_players_can_win=luck.random() < 0.5,
    )


#: Any rules, and as often such as are worth playing.
RULES = st.integers(0, 2**32 - 1).map(lively) | any_rules()
#: Luck that does not shrink: a Random whose every number is as likely as any other.
LUCK = st.integers(0, 2**32 - 1).map(Random)
