"""The command `advise`: what to claim in a position that somebody types in."""

import sys
from typing import Any

from experiments.options import game_from
from experiments.output import print_json, print_table
from ostrich import Observation, rules
from simulator.inputs import UsageError, whole_number

BROKEN, NONE = "x", "-"
HOW = (
    "bags:last:ambers, such as 2,0,x,3:5:1 (eggs in each bag from the smallest on, x for a broken "
    "one; the size of the bag claimed for last round, skip, or - for none; ambers)"
)


def advise(
    game_name: str, players: list[str], seen: str | None, card: str | None, rules_: list[str],
    as_json: bool,
) -> None:  # fmt: skip
    """Read a position, from the options or step by step, and print what to do in it."""
    if game_name != "ostrich":
        raise UsageError(f"advise knows ostrich only, not {game_name}")
    game = game_from(game_name, rules_)
    variant = game.rules
    if players and len(players) != variant.players:
        raise UsageError(
            f"--player is given {len(players)} times; it takes {variant.players}: you first, then "
            "clockwise"
        )
    texts = players or _ask_players(variant.players)
    positions = [position_from(text, variant) for text in texts]
    seen = (
        _ask("cards seen before this one, with commas (- for none)", NONE) if seen is None else seen
    )
    card = _ask("this round's card (0 for an amber)") if card is None else card
    observation = observation_from(variant, positions, seen, card)
    from agents.lookahead.advice import advise as look
    from agents.lookahead.advice import told_why

    if not observation.legal_actions:
        raise UsageError("all your bags are broken: you are out, and there is nothing to advise")
    advice = look(lambda: search_of(game), observation)
    why = told_why(observation, advice)
    if as_json:
        print_json(_told(game, observation, advice, why))
        return
    _show(game, observation, advice, why)


def search_of(game: Any) -> Any:
    """Return what the strongest player finds its claims with."""
    from agents.equilibrium import equilibrium

    return equilibrium(game).search


def _ask(what: str, default: str | None = None) -> str:
    """Ask for one thing at the terminal."""
    print(f"{what}: ", end="", file=sys.stderr, flush=True)
    answer = sys.stdin.readline()
    if not answer:
        raise UsageError(f"{what}: nothing was given; see `clutch advise --help`")
    return answer.strip() or (default or "")


def _ask_players(count: int) -> list[str]:
    """Ask for all positions, one's own first."""
    print(f"Each position is {HOW}", file=sys.stderr)
    names = ["you", "the player on your left", *["the next one clockwise"] * (count - 2)]
    return [_ask(name) for name in names]


def position_from(text: str, variant: Any) -> int:
    """Return a packed position from its text; see HOW.

    Raises
    ------
    UsageError
        For what cannot be.
    """
    parts = text.strip().split(":")
    if len(parts) != 3:
        raise UsageError(f"a position is {HOW}; not {text!r}")
    eggs = [part.strip() for part in parts[0].split(",")]
    if len(eggs) != len(variant.bags):
        raise UsageError(
            f"position {text!r} has {len(eggs)} bags; these rules have {len(variant.bags)}: "
            f"{', '.join(map(str, variant.bags))}"
        )
    word = 0
    for bag, (content, size) in enumerate(zip(eggs, variant.bags, strict=True)):
        if content.lower() == BROKEN:
            continue
        held = whole_number(f"eggs in the {size} bag", content, 0, size)
        word |= held << (4 * bag) | 1 << (rules.WHOLE + bag)
    return (
        word
        | _lying(parts[1].strip(), word, variant) << rules.LYING_OUT
        | (whole_number("ambers", parts[2], 0, variant.deck.count(rules.AMBER)) << rules.AMBERS)
    )


def _lying(text: str, word: int, variant: Any) -> int:
    """Return the action that lies out."""
    if text.lower() == "skip":
        return int(variant.skip)
    if text == NONE:
        return rules.NO_ACTION
    sizes = [str(size) for size in variant.bags]
    if text not in sizes:
        raise UsageError(
            f"last claim {text!r} is none of {', '.join(sizes)}, skip, or {NONE} for none"
        )
    bag = sizes.index(text)
    if not word >> (rules.WHOLE + bag) & 1:
        raise UsageError(
            f"the {text} bag is broken, so its claim card does not lie out: give {NONE} instead"
        )
    return bag


def observation_from(variant: Any, positions: list[int], seen: str, card: str) -> Observation:
    """Return what the first player sees, with this round's card open.

    Raises
    ------
    UsageError
        For cards that the deck does not have, too many rounds, or more ambers than were seen.
    """
    before = [] if seen.strip() in ("", NONE) else seen.split(",")
    cards = [whole_number("a card seen", text, 0, rules.MAX_CARD) for text in before]
    cards.append(whole_number("card", card, 0, rules.MAX_CARD))
    mask, deck = 0, list(variant.deck)
    for value in cards:
        free = [n for n, other in enumerate(deck) if other == value and not mask >> n & 1]
        if not free:
            raise UsageError(
                f"the deck has {deck.count(value)} cards of {value}, and more are named; the deck "
                f"is {', '.join(map(str, deck))}"
            )
        mask |= 1 << free[0]
    if len(cards) > variant.rounds:
        raise UsageError(
            f"{len(cards) - 1} cards seen and one open make {len(cards)} rounds; there are "
            f"{variant.rounds}"
        )
    held = sum(int(rules.ambers_of(word)) for word in positions)
    if held > cards[:-1].count(rules.AMBER):
        raise UsageError(
            f"the players have {held} ambers, but {cards[:-1].count(rules.AMBER)} were seen before "
            "this card"
        )
    if len(cards) > 1 and all(int(rules.lying_out(word)) == rules.NO_ACTION for word in positions):
        whole = (1 << len(variant.bags)) - 1
        if all(word >> rules.WHOLE & whole == whole for word in positions):
            raise UsageError(
                "no claim card lies out, though it is not the first round and no bag is broken"
            )
    return Observation(variant, 0, tuple(positions), cards[-1], len(cards) - 1, mask)


def _told(game: Any, observation: Observation, advice: Any, why: str) -> dict[str, Any]:
    """Return the advice for programs."""
    return {
        "game": game.name,
        "rules": game.rules.as_data(),
        "round": observation.round + 1,
        "card": observation.card,
        "exact": advice.is_exact,
        "win_share": advice.win_share,
        "claims": [
            {"claim": game.action_to_string(claim.action), **vars(claim)} for claim in advice.claims
        ],
        "why": why,
    }


def _show(game: Any, observation: Observation, advice: Any, why: str) -> None:
    """Print the advice for people."""
    kind = "exact: nothing is estimated" if advice.is_exact else "estimated by learned values"
    rows = [
        [
            game.action_to_string(claim.action), f"{claim.chance:.1%}", f"{claim.win_share:.4f}",
            f"{claim.cost:.4f}", f"{claim.breaks_own:.0%}", f"{claim.breaks_other:.0%}",
            f"{claim.gets_amber:.0%}",
        ]
        for claim in advice.claims
    ]  # fmt: skip
    columns = [
        "claim", "play it", "win share", "costs", "breaks your bag", "another's", "gets amber",
    ]  # fmt: skip
    title = (
        f"Round {observation.round + 1} of {game.rules.rounds}, card {observation.card}: you win "
        f"{advice.win_share:.1%} ({kind})"
    )
    print_table(title, columns, rows)
    print(why)
