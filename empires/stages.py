"""How a playthrough goes on: from one decision to the next through stages.

What a stage draws (cards, eggs, the first holder of the marker) is put on a list of draws that come
before the next stage. With orders the draws happen by themselves, without they are chance nodes.
"""

from collections.abc import Callable, Sequence

from empires import actions, rounds, turns
from empires.position import Position

#: The stages that decide nothing, by the name under which another calls for them.
STAGES: dict[str, Callable[[Position], None]] = {
    "shuffle_back": rounds.shuffle_back,
    "deal_out": rounds.deal_out,
    "first_eggs": rounds.first_eggs,
    "first_turn": rounds.first_turn,
    "next_pick": turns.next_pick,
    "after_reveal": turns.after_reveal,
    "next_gift": turns.next_gift,
    "next_discard": turns.next_discard,
    "scouting": turns.scouting,
    "drawing_back": turns.drawing_back,
    "passing_marker": turns.passing_marker,
    "end_of_round": rounds.end,
}
#: What each action chooses.
CHOSEN = tuple(actions.meaning(action).chosen for action in range(actions.NUM_ACTIONS))


def begin(position: Position) -> None:
    """Begin the playthrough."""
    rounds.begin(position)
    go_on(position)


def go_on(position: Position) -> None:
    """Go through draws and stages up to the next decision, chance node, or the end."""
    while True:
        while position.draws:
            if position.orders is None:
                return
            position.draw(position.next_outcome())
        stage = STAGES.get(position.stage)
        if stage is None:
            return
        stage(position)


def carry_out(position: Position, joint: Sequence[int | None]) -> None:
    """Carry out a legal joint action, and go on."""
    if position.stage == "mulligan":
        rounds.redraw(position, [action or 0 for action in joint])
    elif position.stage == "card":
        turns.send(position, [CHOSEN[action] for action in joint])  # type: ignore[index]
    else:
        seat, number = position.acting
        action = joint[seat]
        assert action is not None
        decision = {"pick": turns.pick, "gift": turns.gift, "discard": turns.discard}
        decision[position.stage](position, seat, number, CHOSEN[action])
    go_on(position)
