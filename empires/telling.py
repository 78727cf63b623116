"""Tell a playthrough as one would at the table."""

from collections.abc import Sequence
from typing import Any

from empires import rules
from empires.state import State


def tell_decision(
    before: State, joint: Sequence[int | None], after: State, names: Sequence[str]
) -> list[str]:
    """Return lines on all that happened from one decision up to the next.

    Parameters
    ----------
    before, after : State
        With the decision due, and when the next one is.
    joint : sequence of int or None
        The joint action.
    names : sequence of str
        What the players are called.
    """
    events = after.history()[len(before.history()) :]
    lines = [] if before.history() and before.phase != "mulligan" else _opening(before, names)
    for event in events:
        told = tell_event(event, names, after.rules)
        if told:
            lines.append(told)
    return lines


def _opening(state: State, names: Sequence[str]) -> list[str]:
    """Return the line that begins a round."""
    return [f"Round {state.round + 1} of {state.rules.max_rounds}: hands are dealt."]


def tell_position(state: State, names: Sequence[str]) -> list[str]:
    """Return a line for each player: eggs, and points as they stand."""
    width = max(map(len, names))
    lines = []
    for player, score in enumerate(state.scores()):
        seen = state.observation(player)
        eggs = " ".join(str(egg.value) for egg in seen.owned()) or "none"
        tokens = f"  tokens: {seen.tokens()}" if state.rules.con_pub else ""
        lines.append(f"  {names[player]:{width}}  eggs: {eggs}  points: {score}{tokens}")
    return lines


def tell_event(event: Sequence[Any], names: Sequence[str], variant: rules.Rules) -> str:
    """Return an event of `State.history` in words, or "" for one that goes without saying."""
    teller = _TELLERS.get(event[0])
    return teller(event[1:], names, variant) if teller else ""


def card_name(number: int) -> str:
    """Return an Adventurer as one says it."""
    return f"{rules.ADVENTURERS[number - 1]} ({number})"


def _cards(numbers: Sequence[int]) -> str:
    return " and ".join(map(card_name, numbers)) or "nothing"


def _mulligan(event: Any, names: Any, variant: Any) -> str:
    return f"  {names[event[1]]} redraws the hand." if event[2] else ""


def _hand(event: Any, names: Any, variant: Any) -> str:
    if event[2] is None:
        return ""
    return f"  {names[event[1]]} holds {', '.join(map(card_name, event[2]))}."


def _holder(event: Any, names: Any, variant: Any) -> str:
    return f"  {names[event[1]]} holds the tie breaker marker."


def _reveal(event: Any, names: Any, variant: Any) -> str:
    number, turn, places = event
    eggs = f"{len(places)} new egg{'' if len(places) == 1 else 's'}"
    return f"Round {number + 1}, turn {turn + 1} of {variant.turns}: {eggs}."


def _sent(event: Any, names: Any, variant: Any) -> str:
    told = [f"{name} {_cards(numbers)}" for name, numbers in zip(names, event[2], strict=True)]
    return "  Cards: " + "; ".join(told) + "."


def _take(event: Any, names: Any, variant: Any) -> str:
    seat, number, place, value = event
    egg = f"an egg that lies face down (place {place})" if value is None else f"the egg {value:+d}"
    return f"  {names[seat]}'s {card_name(number)} takes {egg}."


def _refuse(event: Any, names: Any, variant: Any) -> str:
    return f"  {names[event[0]]}'s {card_name(event[1])} takes nothing."


def _unclaimed(event: Any, names: Any, variant: Any) -> str:
    count = len(event[0])
    return f"  {count} unclaimed egg{' is' if count == 1 else 's are'} discarded." if count else ""


def _gift(event: Any, names: Any, variant: Any) -> str:
    seat, to, _ = event
    what = "keeps the egg" if to is None else f"gives the egg to {names[to]}"
    return f"  {names[seat]}'s Courier {what}."


def _priest(event: Any, names: Any, variant: Any) -> str:
    seat, place = event
    what = "nothing" if place is None else f"the egg of place {place}"
    return f"  {names[seat]}'s Priest discards {what}."


def _scout(event: Any, names: Any, variant: Any) -> str:
    return f"  {names[event[0]]}'s Scout lays an egg face down (place {event[1]})."


def _round(event: Any, names: Any, variant: Any) -> str:
    number, won, totals, tokens = event
    told = [
        f"{name} {points:+d} (total {total}" + (f", tokens {token})" if variant.con_pub else ")")
        for name, points, total, token in zip(names, won, totals, tokens, strict=True)
    ]
    return f"Round {number + 1} ends: " + "; ".join(told) + "."


_TELLERS = {
    "mulligan": _mulligan, "hand": _hand, "holder": _holder, "reveal": _reveal, "cards": _sent,
    "take": _take, "refuse": _refuse, "unclaimed": _unclaimed, "gift": _gift, "priest": _priest,
    "scout": _scout, "round": _round,
}  # fmt: skip
