"""Tell a round as one would at the table."""

from collections.abc import Sequence

from ostrich import rules
from ostrich.observation import Observation
from ostrich.state import State


def tell_round(
    before: State, actions: Sequence[int | None], after: State, names: Sequence[str]
) -> list[str]:
    """Return a few lines on one round: the card, each claim and what came of it.

    Parameters
    ----------
    before, after : State
        With the card open, and once all is carried out.
    actions : sequence of int or None
        The joint action.
    names : sequence of str
        What the players are called.
    """
    variant, card = before.rules, before.card or 0
    lines = [f"Round {before.round + 1} of {variant.rounds}: {_card_text(card)}"]
    claimants = sum(action is not None and action < variant.skip for action in actions)
    share = int(rules.share_of(card, claimants))
    width = max(map(len, names))
    for player, action in enumerate(actions):
        told = _outcome(before, action, after, player, share)
        lines.append(f"  {names[player]:{width}}  {told}")
    if card and claimants == 0:
        lines.append("  Nobody claims; the eggs go back to the bank.")
    elif card and claimants * share < card:
        lines.append(f"  {card - claimants * share} left over for the bank.")
    if card == rules.AMBER and not _amber_taken(before, after):
        lines.append("  Nobody gets the amber.")
    return lines


def tell_position(state: State, names: Sequence[str]) -> list[str]:
    """Return a line for each player: bags, ambers, and the points as they stand."""
    width = max(map(len, names))
    lines = []
    for player, score in enumerate(state.scores()):
        observation = state.observation(player)
        bags = "  ".join(
            f"{size}: {'broken' if eggs is None else 'full' if eggs == size else _eggs(eggs)}"
            for size, eggs in zip(state.rules.bags, observation.bags(), strict=True)
        )
        ambers = observation.ambers()
        lines.append(f"  {names[player]:{width}}  {bags}  ambers: {ambers}  points: {score}")
    return lines


def tell_seat(observation: Observation) -> list[str]:
    """Return lines that tell a player what the seat sees: the card, and how all players stand."""
    variant = observation.rules
    lines = [f"Round {observation.round + 1} of {variant.rounds}: {_card_text(observation.card)}"]
    for player in range(variant.players):
        who = "you" if player == observation.player else f"seat {player}"
        bags = "  ".join(
            f"{size}: {'broken' if eggs is None else 'full' if eggs == size else _eggs(eggs)}"
            for size, eggs in zip(variant.bags, observation.bags(player), strict=True)
        )
        lines.append(f"  {who:8}  {bags}  ambers: {observation.ambers(player)}")
    return lines


def _card_text(card: int | None) -> str:
    """Return a card as it is announced."""
    return "an amber" if card == rules.AMBER else f"a card with {_eggs(card)}"


def _eggs(number: int | None) -> str:
    """Return a number of eggs in words."""
    return f"{number} egg{'' if number == 1 else 's'}"


def _outcome(before: State, action: int | None, after: State, player: int, share: int) -> str:
    """Return what a player did and what came of it."""
    if action is None:
        return "is out."
    then, now = before.observation(player), after.observation(player)
    if action == before.rules.skip:
        return "skips and takes the amber." if now.ambers() > then.ambers() else "skips."
    size, held, holds = before.rules.bags[action], then.bags()[action], now.bags()[action]
    claim = f"plays {size}"
    if before.card == rules.AMBER:
        return f"{claim} and gets nothing."
    if holds is None:
        return f"{claim}: {held} + {share} eggs are too many, and the bag breaks."
    full = " (full)" if holds == size else ""
    return f"{claim}: {held} + {share} = {_eggs(holds)}{full}."


def _amber_taken(before: State, after: State) -> bool:
    """Return whether somebody has an amber more than before."""
    players = range(before.rules.players)
    return any(after.observation(p).ambers() > before.observation(p).ambers() for p in players)
