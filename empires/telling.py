"""Tell a playthrough as one would at the table."""

from collections.abc import Sequence
from typing import Any

from empires import actions, rules
from empires.observation import Egg, Observation
from empires.state import State


def tell_decision(
    before: State,
    joint: Sequence[int | None],
    after: State,
    names: Sequence[str],
    player: int | None = None,
) -> list[str]:
    """Return lines on all that happened from one decision up to the next.

    As far as `player` knows it; None knows all.

    Parameters
    ----------
    before, after : State
        With the decision due, and when the next one is.
    joint : sequence of int or None
        The joint action.
    names : sequence of str
        What the players are called.
    """
    events = after.history(player)[len(before.history()) :]
    lines = [] if before.history() else ["The hands are dealt."]
    values = before.eggs(player)
    if after.round == before.round:
        values |= after.eggs(player)
    for event in events:
        told = tell_event(event, names, after.rules, values)
        lines += [told] if told else []
    return lines


def tell_seat(observation: Observation) -> list[str]:
    """Return lines that tell a player what the seat sees."""
    seen, players = observation, range(observation.rules.players)
    where = f"Round {seen.round + 1}, turn {seen.turn + 1}: {_DUE[seen.phase]}"
    if seen.acting:
        where += f" (your {card_name(seen.acting)})"
    lines = [where, f"  your hand: {', '.join(map(card_name, seen.hand)) or 'empty'}"]
    if seen.offer:
        lines.append(f"  eggs there: {', '.join(_egg(seen, egg) for egg in seen.offer)}")
    for player in players:
        who = "you" if player == seen.player else f"seat {player}"
        eggs = " ".join("?" if egg.value is None else str(egg.value) for egg in seen.owned(player))
        tokens = f", tokens {seen.tokens(player)}" if seen.rules.con_pub else ""
        marker = ", holds the marker" if seen.holder == player else ""
        played = " ".join(map(str, seen.played(player))) or "none"
        lines.append(
            f"  {who:8} total {seen.total(player)}, this round {seen.points(player):+d}{tokens}; "
            f"eggs {eggs or 'none'}; played {played}{marker}"
        )
    return lines


_DUE = {
    "mulligan": "keep or redraw?",
    "card": "which card?",
    "pick": "which egg?",
    "gift": "give the egg away?",
    "discard": "discard an egg?",
}


def _egg(seen: Observation, egg: Egg) -> str:
    """Return an egg on offer as the seat sees it."""
    down = " face down" if seen.is_face_down(egg.place) else ""
    return f"{'?' if egg.value is None else f'{egg.value:+d}'}{down}"


def tell_action(observation: Observation, action: int) -> str:
    """Return an action in words, with the values of eggs as far as the seat knows them."""
    kind, chosen = actions.meaning(action)
    if kind in ("pick", "discard") and chosen:
        known = observation.known()
        value = f"{known[chosen[0]]:+d}" if chosen[0] in known else "that lies face down"
        return f"{'take' if kind == 'pick' else 'discard'} the egg {value} (place {chosen[0]})"
    return actions.to_string(action)


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


def tell_event(
    event: Sequence[Any], names: Sequence[str], variant: rules.Rules, values: dict[int, int]
) -> str:
    """Return an event of `State.history` in words, or "" for one that goes without saying.

    `values` are those of the eggs, by place, as far as they may be told.
    """
    teller = _TELLERS.get(event[0])
    return teller(event[1:], names, variant, values) if teller else ""


def _value(values: dict[int, int], place: int) -> str:
    """Return an egg as one says it."""
    return f"{values[place]:+d}" if place in values else f"of place {place}"


def card_name(number: int) -> str:
    """Return an Adventurer as one says it."""
    return f"{rules.ADVENTURERS[number - 1]} ({number})"


def _cards(numbers: Sequence[int]) -> str:
    return " and ".join(map(card_name, numbers)) or "nothing"


def _mulligan(event: Any, names: Any, variant: Any, values: Any) -> str:
    return f"  {names[event[1]]} redraws the hand." if event[2] else ""


def _old_hand(event: Any, names: Any, variant: Any, values: Any) -> str:
    if event[2] is None:
        return ""
    return f"  {names[event[1]]} gives back {', '.join(map(card_name, event[2]))}."


def _hand(event: Any, names: Any, variant: Any, values: Any) -> str:
    if event[2] is None:
        return ""
    return f"  {names[event[1]]} holds {', '.join(map(card_name, event[2]))}."


def _holder(event: Any, names: Any, variant: Any, values: Any) -> str:
    return f"  {names[event[1]]} holds the tie breaker marker."


def _reveal(event: Any, names: Any, variant: Any, values: Any) -> str:
    number, turn, places = event
    eggs = ", ".join(_value(values, place) for place in places) or "none"
    return f"Round {number + 1}, turn {turn + 1} of {variant.turns}; new eggs: {eggs}."


def _sent(event: Any, names: Any, variant: Any, values: Any) -> str:
    told = [f"{name} {_cards(numbers)}" for name, numbers in zip(names, event[2], strict=True)]
    return "  Cards: " + "; ".join(told) + "."


def _take(event: Any, names: Any, variant: Any, values: Any) -> str:
    seat, number, place, value = event
    egg = f"an egg that lies face down (place {place})" if value is None else f"the egg {value:+d}"
    return f"  {names[seat]}'s {card_name(number)} takes {egg}."


def _refuse(event: Any, names: Any, variant: Any, values: Any) -> str:
    return f"  {names[event[0]]}'s {card_name(event[1])} takes nothing."


def _unclaimed(event: Any, names: Any, variant: Any, values: Any) -> str:
    eggs = ", ".join(_value(values, place) for place in event[0])
    return f"  Unclaimed: {eggs}." if eggs else ""


def _gift(event: Any, names: Any, variant: Any, values: Any) -> str:
    seat, to, place = event
    egg = f"the egg {_value(values, place)}"
    what = f"keeps {egg}" if to is None else f"gives {egg} to {names[to]}"
    return f"  {names[seat]}'s Courier {what}."


def _priest(event: Any, names: Any, variant: Any, values: Any) -> str:
    seat, place = event
    what = "nothing" if place is None else f"the egg {_value(values, place)}"
    return f"  {names[seat]}'s Priest discards {what}."


def _scout(event: Any, names: Any, variant: Any, values: Any) -> str:
    seen = f", {values[event[1]]:+d}" if event[1] in values else ""
    return f"  {names[event[0]]}'s Scout lays an egg face down (place {event[1]}{seen})."


def _round(event: Any, names: Any, variant: Any, values: Any) -> str:
    number, won, totals, tokens = event
    told = [
        f"{name} {points:+d} (total {total}" + (f", tokens {token})" if variant.con_pub else ")")
        for name, points, total, token in zip(names, won, totals, tokens, strict=True)
    ]
    return f"Round {number + 1} ends: " + "; ".join(told) + "."


_TELLERS = {
    "mulligan": _mulligan, "old_hand": _old_hand, "hand": _hand, "holder": _holder,
    "reveal": _reveal, "cards": _sent, "take": _take, "refuse": _refuse, "unclaimed": _unclaimed,
    "gift": _gift, "priest": _priest, "scout": _scout, "round": _round,
}  # fmt: skip
