"""One playthrough, step by step, in OpenSpiel's vocabulary; the rules are those of `rules.py`.

A playthrough goes from one decision to the next through stages (`_STAGES`); what a stage draws
(cards, eggs, the first holder of the marker) is put on a list of draws that come before the next
stage. With orders the draws happen by themselves, without they are chance nodes.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from empires import actions, rules
from empires.columns import offer_of
from empires.layout import (
    ACTING,
    EGGS,
    ENDED,
    FIRST_VISIBLE,
    GOT,
    HANDS,
    HIDDEN,
    HOLDER,
    KNOWN,
    MULLIGANS,
    OFFER,
    OWNED,
    PLAYED,
    POINTS,
    SCOUTS,
    SEATS,
    SECRET,
    TABLE,
    TOKENS,
    TOTALS,
    VALUES,
    block_rows,
)
from empires.observation import Observation
from empires.orders import Orders

DECISIONS = ("mulligan", "card", "pick", "gift", "discard")


class State:
    """A position in a playthrough; made by `Game.new_initial_state`.

    Eggs are named by their place in the round's egg deck. All lists of seats are seat by seat.
    """

    _holder: Any  # a seat; None before the marker is out
    _hands: list[list[int]]
    _piles: list[list[int]]
    _drawn: list[list[int]]
    _played: list[list[int]]
    _owned: list[list[int]]  # places of the eggs before each seat
    _eggs: list[int]  # values, by place, of those drawn
    _secret: dict[int, set[int]]  # who knows an egg that was laid face down
    _scouts: dict[int, int]  # who laid an egg on offer face down
    _offer: list[int]
    _left: list[int]
    _table: list[tuple[int, ...]]
    _got: list[dict[int, int]]  # number: place
    _queue: list[tuple[int, int]]  # (seat, number) whose pick or power is still to be
    _draws: list[tuple[str, int]]
    _mulligans: list[int]
    _events: list[tuple[tuple[Any, ...], tuple[Any, ...], frozenset[int] | None]]

    def __init__(self, game: Any, orders: Orders | None) -> None:
        self._game, self._rules, self._orders = game, game.rules, orders
        players = self._rules.players
        self._facts = {
            "waits": rules.SHEPHERDS.index(self._rules.shepherd),
            "con_pub": int(self._rules.con_pub),
        }
        self._round = self._turn = 0
        self._stage = ""
        self._holder = None
        self._totals, self._tokens = [0] * players, [0] * players
        self._events = []
        self._begin_round()
        self._go_on()

    @classmethod
    def resumed(
        cls, game: Any, orders: Orders, seen: Observation, hands: Any, piles: Any
    ) -> "State":
        """Return a state in the middle of a round, as a seat that decides sees it.

        `orders`, `hands` and `piles` say all that is hidden. The history begins here.
        """
        state = cls.__new__(cls)
        state._game, state._rules, state._orders = game, game.rules, orders
        state._facts = {
            "waits": rules.SHEPHERDS.index(game.rules.shepherd),
            "con_pub": int(game.rules.con_pub),
        }
        state._round, state._turn, state._stage = seen.round, seen.turn, seen.phase
        state._events, players = [], range(game.rules.players)
        state._begin_round()
        state._draws, state._stage = [], seen.phase
        state._hands, state._piles = [list(h) for h in hands], [list(pile) for pile in piles]
        state._holder = seen.holder
        state._totals = [seen.total(seat) for seat in players]
        state._tokens = [seen.tokens(seat) for seat in players]
        state._played = [list(seen.played(seat)) for seat in players]
        state._mulligans = list(seen.mulligans)
        state._last = seen.turn + 1 == game.rules.turns
        state._resume_eggs(seen)
        state._resume_turn(seen)
        return state

    def _resume_eggs(self, seen: Observation) -> None:
        """Take over eggs and points; the hidden values are those of the orders."""
        assert self._orders is not None
        base, face_up, offered, hidden = seen.offered()
        players = range(self._rules.players)
        self._eggs = list(self._orders.egg_decks[self._round][: base + offered])
        self._base, self._face_up = base, face_up
        self._offer = list(range(base, base + offered))
        self._left = [egg.place for egg in seen.offer]
        self._scouts = {p: seen.scout_of(p) or 0 for p in self._offer[face_up:]}
        self._owned = [[egg.place for egg in seen.owned(seat)] for seat in players]
        known = seen.known()
        self._secret = {place: set() for place in hidden}
        for place, knowers in self._secret.items():
            if place in known:
                knowers.add(seen.player)
            if place in self._scouts:
                knowers.add(self._scouts[place])
            knowers.update(seat for seat in players if place in self._owned[seat])
        for seat in players:
            shown = [self._eggs[p] for p in self._owned[seat] if p in known]
            self._bonuses[seat] = seen.points(seat) - sum(shown)

    def _resume_turn(self, seen: Observation) -> None:
        """Take over what lies on the table, and whose picks and powers are still to come."""
        if seen.phase in ("mulligan", "card"):
            return
        players, number = range(self._rules.players), seen.acting or 0
        self._table = [seen.table(seat) for seat in players]
        self._got = [seen.got(seat) for seat in players]
        self._seen = _set_of([card for cards in self._table for card in cards])
        self._acting = (seen.player, number)
        cards = self._in_order() if seen.phase == "pick" else self._collected(number)
        self._queue = cards[cards.index(self._acting) + 1 :]

    # --- What is asked of a state -----------------------------------------------------------------

    @property
    def rules(self) -> rules.Rules:
        """The rules that are played by."""
        variant: rules.Rules = self._rules
        return variant

    @property
    def orders(self) -> Orders | None:
        """The order of all that is shuffled, None if it is left open."""
        return self._orders

    @property
    def round(self) -> int:
        """The round, from 0."""
        return self._round

    @property
    def turn(self) -> int:
        """The turn of the round, from 0."""
        return self._turn

    @property
    def phase(self) -> str:
        """What comes next: a kind of decision, "draw" or "over"."""
        return "draw" if self._draws else self._stage

    @property
    def holder(self) -> int | None:
        """The seat that holds the tie breaker marker; None before it is out."""
        holder: int | None = self._holder
        return holder

    def is_terminal(self) -> bool:
        """Return whether the playthrough is over (rules 9 and 11)."""
        return self._stage == "over"

    def is_chance_node(self) -> bool:
        """Return whether a card, an egg, or the marker's first holder is to be drawn."""
        return bool(self._draws)

    def deciders(self) -> list[int]:
        """Return the seats that are to decide now."""
        if self._draws or self._stage == "over":
            return []
        if self._stage in ("mulligan", "card"):
            return list(range(self._rules.players))
        return [self._acting[0]]

    def legal_actions(self, player: int) -> list[int]:
        """Return a player's legal actions, ascending; [] for one who has nothing to decide."""
        self._check_player(player)
        return self.observation(player).legal_actions

    def scores(self) -> list[int]:
        """Return each player's points as they stand, all eggs and bonuses counted."""
        return [total + self._won(seat) for seat, total in enumerate(self._totals)]

    def returns(self) -> list[float]:
        """Return each player's share of the win; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self._rules.players
        needed, con_pub = self._rules.tokens_to_win, self._facts["con_pub"]
        standings = [
            int(rules.standing_of(total & 0xFFFFFFFF, tokens, needed, con_pub))
            for total, tokens in zip(self._totals, self._tokens, strict=True)
        ]
        best = max(standings)
        share = int(rules.win_units(standings.count(best))) / rules.SHARE_UNITS
        return [share if standing == best else 0.0 for standing in standings]

    def history(self, player: int | None = None) -> list[tuple[Any, ...]]:
        """Return all that has happened, as a player knows it, or in full for None.

        Each event is a tuple that begins with what happened: "mulligan", "hand", "holder",
        "reveal", "cards", "take", "refuse", "unclaimed", "gift", "priest", "scout", "draw",
        "marker", "round" or "end". None stands for what the player cannot know.
        """
        return [
            whole if player is None or knowers is None or player in knowers else public
            for whole, public, knowers in self._events
        ]

    def eggs(self, player: int | None = None) -> dict[int, int]:
        """Return the values of this round's eggs by place, as a player knows them, or all drawn."""
        return dict(enumerate(self._eggs)) if player is None else self.observation(player).known()

    def information_state_string(self, player: int) -> str:
        """Return what a player knows: the observation and the history of the playthrough.

        The history tells every player's actions, one's own and those that were seen.
        """
        self._check_player(player)
        seen = self.observation(player)
        return f"player {player}: {seen.phase} {seen.column()} {self.history(player)}"

    def clone(self) -> "State":
        """Return a copy that goes its own way."""
        other = State.__new__(State)
        for name, value in self.__dict__.items():
            copied = value
            if name not in ("_game", "_rules", "_orders", "_facts"):
                copied = _copied(value)
            other.__dict__[name] = copied
        return other

    def observation(self, player: int) -> Observation:
        """Return what a player sees."""
        self._check_player(player)
        return Observation(
            self._rules, player, self.phase, self._round, self._turn, self._column(player)
        )

    # --- Chance -----------------------------------------------------------------------------------

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each outcome of the next draw, ascending, with its probability.

        A card is its number, an egg its value, the marker's first holder a seat.

        Raises
        ------
        ValueError
            If nothing is to be drawn.
        """
        if not self._draws:
            raise ValueError(f"nothing is to be drawn: the phase is {self.phase!r}")
        what, seat = self._draws[0]
        left: Any = dict.fromkeys(range(self._rules.players), 1)
        if what == "card":
            left = Counter(self._piles[seat])
        elif what == "egg":
            left = Counter(self._rules.eggs) - Counter(self._eggs)
        total = sum(left.values())
        return [(outcome, count / total) for outcome, count in sorted(left.items())]

    def apply_action(self, outcome: int) -> None:
        """Carry out a draw.

        Raises
        ------
        ValueError
            If nothing is to be drawn, or this cannot be.
        """
        possible = [one for one, _ in self.chance_outcomes()]
        if not _is_one_of(outcome, possible):
            raise ValueError(f"{outcome!r} cannot be drawn; possible are {possible}")
        self._draw(int(outcome))
        self._go_on()

    def _go_on(self) -> None:
        """Go through draws and stages up to the next decision, chance node, or the end."""
        while True:
            while self._draws:
                if self._orders is None:
                    return
                self._draw(self._next_outcome(*self._draws[0]))
            if self._stage in DECISIONS or self._stage == "over":
                return
            getattr(self, f"_{self._stage}")()

    def _next_outcome(self, what: str, seat: int) -> int:
        """Return what the orders say of a draw."""
        assert self._orders is not None
        if what == "holder":
            return self._orders.holder
        if what == "egg":
            return self._orders.egg_decks[self._round][len(self._eggs)]
        return self._piles[seat][0]

    def _draw(self, outcome: int) -> None:
        """Carry out the first of the draws."""
        what, seat = self._draws.pop(0)
        if what == "holder":
            self._holder = outcome
        elif what == "card":
            self._piles[seat].remove(outcome)
            self._hands[seat].append(outcome)
            self._drawn[seat].append(outcome)
        else:
            place = len(self._eggs)
            self._eggs.append(outcome)
            self._offer.append(place)
            self._left.append(place)
            if seat >= 0:
                self._secret[place] = {seat}
                self._scouts[place] = seat
                self._log(("scout", seat, place))

    # --- A round begins ---------------------------------------------------------------------------

    def _begin_round(self) -> None:
        """Shuffle, and deal hands (rule 2)."""
        players = range(self._rules.players)
        cards = self._rules.adventurers * self._rules.cards_a_turn
        decks = self._orders.empire_decks[self._round] if self._orders else [cards] * len(players)
        self._piles = [list(deck) for deck in decks]
        self._hands = [[] for _ in players]
        self._drawn = [[] for _ in players]
        self._played = [[] for _ in players]
        self._bonuses = [0 for _ in players]
        self._owned = [[] for _ in players]
        self._mulligans = []
        self._eggs = []
        self._secret = {}
        self._scouts = {}
        self._offer = []
        self._left = []
        self._clear_table()
        self._draws = [("card", seat) for seat in players for _ in range(self._rules.hand_size)]
        self._stage = "mulligan" if self._rules.has_mulligan(self._round) else "deal_out"

    def _clear_table(self) -> None:
        """Clear what belongs to a turn."""
        players = self._rules.players
        self._table = [()] * players
        self._got = [{} for _ in range(players)]
        self._queue = []
        self._acting = (0, 0)

    def _redraw(self, wishes: Sequence[int]) -> None:
        """Carry out mulligans: new hands are drawn, then the old ones join the piles (R-E15)."""
        self._old_hands = {seat: self._hands[seat] for seat, wish in enumerate(wishes) if wish}
        self._mulligans = list(self._old_hands)
        for seat, wish in enumerate(wishes):
            self._log(("mulligan", self._round, seat, bool(wish)))
        for seat in self._mulligans:
            self._hands[seat] = []
            self._draws += [("card", seat)] * self._rules.hand_size
        self._stage = "shuffle_back"

    def _shuffle_back(self) -> None:
        """Shuffle old hands into the piles."""
        for seat, hand in self._old_hands.items():
            if self._orders:
                self._piles[seat] = list(self._orders.reshuffle[self._round][seat])
            else:
                self._piles[seat] += hand
        self._stage = "deal_out"

    def _deal_out(self) -> None:
        """Place the marker and turn up the first eggs (rules 2 and 8)."""
        for seat, hand in enumerate(self._hands):
            event = ("hand", self._round, seat, tuple(sorted(hand)))
            self._log(event, (*event[:3], None), {seat})
        self._drawn = [[] for _ in self._hands]
        if self._round == 0:
            self._draws.append(("holder", -1))
        else:
            holder, players = self._holder, self._rules.players
            self._holder = min(
                range(players),
                key=lambda seat: int(
                    rules.claim_to_marker(self._totals[seat] & 0xFFFFFFFF, seat, holder, players)
                ),
            )
        self._stage = "open"

    def _open(self) -> None:
        """Begin the first turn, once the marker's holder is known."""
        self._log(("holder", self._round, self._holder))
        self._reveal()
        self._stage = "first_turn"

    def _first_turn(self) -> None:
        self._log_reveal(0)
        self._stage = "card"

    def _reveal(self) -> None:
        """Turn up new eggs, as many as there are (R-E14)."""
        there = len(self._rules.eggs) - len(self._eggs)
        self._offer, self._left, self._scouts = [], [], {}
        self._face_up = min(self._rules.eggs_a_turn, there)
        self._base = len(self._eggs)
        self._draws += [("egg", -1)] * self._face_up

    def _log_reveal(self, turn: int) -> None:
        self._log(("reveal", self._round, turn, tuple(self._offer[: self._face_up])))

    # --- A turn -----------------------------------------------------------------------------------

    def apply_actions(self, joint: Sequence[int | None]) -> None:
        """Carry out a joint action, seat by seat; None for a seat with nothing to decide.

        Raises
        ------
        ValueError
            If no decision is due, or an action is not legal; the state is then as it was.
        """
        self._verify(joint)
        if self._stage == "mulligan":
            self._redraw([action or 0 for action in joint])
        elif self._stage == "card":
            self._send([actions.meaning(action).chosen for action in joint])  # type: ignore[arg-type]
        else:
            seat, number = self._acting
            action = joint[seat]
            assert action is not None
            getattr(self, f"_carry_out_{self._stage}")(seat, number, actions.meaning(action).chosen)
        self._go_on()

    def _verify(self, joint: Sequence[int | None]) -> None:
        """Raise ValueError unless `joint` is a legal joint action."""
        if not self.deciders():
            raise ValueError(f"no decision is due: the phase is {self.phase!r}")
        if len(joint) != self._rules.players:
            raise ValueError(f"{len(joint)} actions given for {self._rules.players} players")
        for player, action in enumerate(joint):
            legal = self.legal_actions(player)
            if legal and not _is_one_of(action, legal):
                raise ValueError(
                    f"player {player} may not take action {action!r} now ({self.phase}); "
                    f"legal are {legal}"
                )
            if not legal and action is not None:
                raise ValueError(f"player {player} has nothing to decide, not {action!r}")

    def _send(self, sent: Sequence[tuple[int, ...]]) -> None:
        """Reveal cards and put them in the order in which they collect (rules 3 and 5)."""
        seen = 0
        for seat, numbers in enumerate(sent):
            for number in numbers:
                self._hands[seat].remove(number)
                self._played[seat].append(number)
                seen = int(rules.with_card(seen, number))
        self._table, self._seen = list(sent), seen
        self._log(("cards", self._round, self._turn, tuple(sent)))
        self._queue = self._in_order()
        self._stage = "next_pick"

    def _in_order(self) -> list[tuple[int, int]]:
        """Return the cards on the table, (seat, number), in the order in which they collect."""
        holder, players, seen = self._holder, self._rules.players, self._seen

        def place(card: tuple[int, int]) -> tuple[int, int]:
            rank = int(rules.rank_of(card[1], seen, self._facts["waits"]))
            return -rank, int(rules.clockwise(card[0], holder, players))

        cards = [(seat, number) for seat, numbers in enumerate(self._table) for number in numbers]
        return [card for card in sorted(cards, key=place) if place(card)[0] < 0]

    def _next_pick(self) -> None:
        """Find the next card that may take an egg."""
        while self._queue:
            self._acting = self._queue.pop(0)
            if self._allowed(self._acting[1]):
                self._stage = "pick"
                return
        self._end_turn()

    def _allowed(self, number: int) -> int:
        """Return the mask of the eggs on offer that a card may take."""
        left = sum(1 << (place - self._base) for place in self._left)
        negative = sum(1 << (p - self._base) for p in self._offer if self._eggs[p] < 0)
        face_down = sum(1 << (place - self._base) for place in self._scouts)
        return int(rules.eggs_allowed(number, left, negative, face_down))

    def _carry_out_pick(self, seat: int, number: int, chosen: tuple[int, ...]) -> None:
        """Let a card take an egg, or nothing (rule 4)."""
        self._stage = "next_pick"
        if not chosen:
            self._log(("refuse", seat, number))
            return
        place = chosen[0]
        self._left.remove(place)
        self._got[seat][number] = place
        self._take(seat, place)
        event = ("take", seat, number, place, self._eggs[place])
        self._log(event, (*event[:4], None), self._secret.get(place))

    def _take(self, seat: int, place: int) -> None:
        """Lay an egg before a seat, who then knows it."""
        self._owned[seat].append(place)
        if place in self._secret:
            self._secret[place].add(seat)

    def _end_turn(self) -> None:
        """Count Merchants and Blacksmiths, discard, and turn up new eggs (rules 4 and 7)."""
        for seat, numbers in enumerate(self._table):
            for number in numbers:
                bonus = int(rules.bonus_of(number, number in self._got[seat]))
                self._bonuses[seat] += bonus - (1 << 32) if bonus >> 31 else bonus
        self._log(("unclaimed", tuple(self._left)))
        self._last = self._turn + 1 == self._rules.turns
        self._offer, self._left, self._scouts, self._face_up = [], [], {}, 0
        self._base = len(self._eggs)
        if not self._last:
            self._reveal()
        self._queue = self._collected(rules.COURIER)
        self._stage = "after_reveal"

    def _after_reveal(self) -> None:
        if not self._last:
            self._log_reveal(self._turn + 1)
        self._stage = "next_gift"

    def _around(self) -> list[int]:
        """Return the seats, clockwise from the marker's holder."""
        players, holder = self._rules.players, self._holder
        return [int(rules.seat_after(holder, steps, players)) for steps in range(players)]

    def _collected(self, number: int) -> list[tuple[int, int]]:
        """Return the seats whose card of a number collected an egg, from the marker's holder on."""
        return [(seat, number) for seat in self._around() if number in self._got[seat]]

    def _next_gift(self) -> None:
        """Find the next Courier."""
        if self._queue:
            self._acting, self._stage = self._queue.pop(0), "gift"
        else:
            self._queue, self._stage = self._collected(rules.PRIEST), "next_discard"

    def _carry_out_gift(self, seat: int, number: int, chosen: tuple[int, ...]) -> None:
        """Let a Courier give the egg away, or keep it (R-E10)."""
        place = self._got[seat][number]
        if chosen:
            self._owned[seat].remove(place)
            self._take(chosen[0], place)
        self._log(("gift", seat, chosen[0] if chosen else None, place))
        self._stage = "next_gift"

    def _next_discard(self) -> None:
        """Find the next Priest."""
        if self._queue:
            self._acting, self._stage = self._queue.pop(0), "discard"
        else:
            self._stage = "scouting"

    def _carry_out_discard(self, seat: int, number: int, chosen: tuple[int, ...]) -> None:
        """Let a Priest discard an egg, seen by all, or nothing (R-E11)."""
        if chosen:
            self._owned[seat].remove(chosen[0])
            self._secret.pop(chosen[0], None)
        self._log(("priest", seat, chosen[0] if chosen else None))
        self._stage = "next_discard"

    def _scouting(self) -> None:
        """Let Scouts lay eggs face down (R-E12)."""
        there = len(self._rules.eggs) - len(self._eggs)
        scouts = [seat for seat in self._around() if rules.SCOUT in self._table[seat]]
        self._draws += [("egg", seat) for seat in scouts[:there]] if not self._last else []
        self._stage = "drawing_back"

    def _drawing_back(self) -> None:
        """Draw back to full hands (not after the last turn)."""
        self._drawn = [[] for _ in self._hands]
        for seat, pile in enumerate(self._piles):
            wanted = min(self._rules.cards_a_turn, len(pile)) if not self._last else 0
            self._draws += [("card", seat)] * wanted
        self._stage = "passing_marker"

    def _passing_marker(self) -> None:
        """Pass the marker after a tie, and begin the next turn or end the round (rule 8)."""
        for seat, drawn in enumerate(self._drawn):
            self._log(("draw", seat, tuple(drawn)), ("draw", seat, None), {seat})
        tie = rules.is_tie(self._seen)
        self._holder = int(rules.holder_after(self._holder, tie, self._rules.players))
        self._log(("marker", self._holder))
        self._clear_table()
        if not self._last:
            self._turn += 1
            self._stage = "card"
        else:
            self._end_round()

    def _won(self, seat: int) -> int:
        """Return a seat's points of this round."""
        return sum(self._eggs[place] for place in self._owned[seat]) + self._bonuses[seat]

    def _end_round(self) -> None:
        """Add up the round; begin the next one or end the playthrough (rules 9 and 11)."""
        won = [self._won(seat) for seat in range(self._rules.players)]
        self._totals = [total + more for total, more in zip(self._totals, won, strict=True)]
        if self._rules.con_pub:
            for seat, points in enumerate(won):
                self._tokens[seat] += points == max(won)
        now = tuple(self._totals), tuple(self._tokens)
        self._log(("round", self._round, tuple(won), *now))
        enough = self._rules.con_pub and max(self._tokens) >= self._rules.tokens_to_win
        if enough or self._round + 1 == self._rules.max_rounds:
            self._owned = [[] for _ in won]
            self._bonuses = [0 for _ in won]
            self._stage = "over"
            self._log(("end", *now, tuple(self.returns())))
            return
        self._round += 1
        self._turn = 0
        self._begin_round()

    def _log(
        self,
        event: tuple[Any, ...],
        public: tuple[Any, ...] | None = None,
        knowers: set[int] | None = None,
    ) -> None:
        """Write down what happened; with `knowers` only these know more than `public`."""
        known_to = None if public is None or knowers is None else frozenset(knowers)
        self._events.append((event, public or event, known_to))

    # --- What a seat sees -------------------------------------------------------------------------

    def _column(self, player: int) -> tuple[int, ...]:
        """Return the rows of a block as a player sees them; see `Observation`."""
        column = [0] * (block_rows(len(self._rules.eggs)) - FIRST_VISIBLE)

        def put(row: int, value: int) -> None:
            column[row - FIRST_VISIBLE] = value & 0xFFFFFFFF

        put(HOLDER, self._holder or 0)
        put(ENDED, int(self._rules.con_pub and max(self._tokens) >= self._rules.tokens_to_win))
        put(MULLIGANS, sum(1 << seat for seat in self._mulligans))
        if player in self.deciders() and self._stage not in ("mulligan", "card"):
            put(ACTING, self._acting[1])
        self._put_offer(put, player)
        for seat in range(self._rules.players):
            put(TOTALS + seat, self._totals[seat])
            put(TOKENS + seat, self._tokens[seat])
            put(PLAYED + seat, _set_of(self._played[seat]))
            put(TABLE + seat, sum(n << 4 * i for i, n in enumerate(self._table[seat])))
            places = [self._got[seat].get(number, -1) + 1 for number in self._table[seat]]
            put(GOT + seat, sum(place << 8 * i for i, place in enumerate(places)))
            put(OWNED + 2 * seat, sum(1 << p for p in self._owned[seat] if p < 32))
            put(OWNED + 2 * seat + 1, sum(1 << (p - 32) for p in self._owned[seat] if p >= 32))
            shown = [self._eggs[p] for p in self._owned[seat] if p not in self._secret]
            put(POINTS + seat, self._bonuses[seat] + sum(shown))
            secret = [p for p in self._owned[seat] if player in self._secret.get(p, ())]
            put(SECRET + SEATS * player + seat, sum(self._eggs[p] for p in secret))
        put(HANDS + player, _set_of(self._hands[player]))
        known = [place for place, knowers in self._secret.items() if player in knowers]
        for word in range(2):
            places = [place - 32 * word for place in self._secret if place >> 5 == word]
            put(HIDDEN + word, sum(1 << place for place in places))
            seen = [place - 32 * word for place in known if place >> 5 == word]
            put(KNOWN + 2 * player + word, sum(1 << place for place in seen))
        for place, value in enumerate(self._eggs):
            if place not in self._secret or place in known:
                put(EGGS + place, value)
        return tuple(column)

    def _put_offer(self, put: Any, player: int) -> None:
        """Put the rows of the eggs on offer."""
        if not self._eggs:
            return
        left = sum(1 << (place - self._base) for place in self._left)
        put(OFFER, int(offer_of(self._base, self._face_up, len(self._offer), left)))
        laid = {place - self._base: seat for place, seat in self._scouts.items()}
        put(SCOUTS, sum(seat << 3 * w for w, seat in laid.items()))
        for w, place in enumerate(self._offer):
            if player in self._secret.get(place, {player}):
                put(VALUES + w, self._eggs[place])

    def _check_player(self, player: int) -> None:
        if player not in range(self._rules.players):
            raise ValueError(
                f"there is no player {player!r}; seats are 0 to {self._rules.players - 1}"
            )

    def __str__(self) -> str:
        where = f"round {self._round + 1} of {self._rules.max_rounds}, turn {self._turn + 1}"
        eggs = " ".join(
            f"{place}:{self._eggs[place]}{' face down' if place in self._scouts else ''}"
            for place in self._left
        )
        seats = [
            f"seat {seat} hand {_listed(self._hands[seat])} played {_listed(self._played[seat])} "
            f"eggs {' '.join(f'{p}:{self._eggs[p]}' for p in self._owned[seat]) or 'none'} "
            f"total {self._totals[seat]} tokens {self._tokens[seat]}"
            for seat in range(self._rules.players)
        ]
        return f"{where}, {self.phase}; marker {self._holder}; eggs {eggs or 'none'}; " + "; ".join(
            seats
        )


def _is_one_of(number: Any, possible: Sequence[int]) -> bool:
    """Return whether something is one of some whole numbers; 1.0 and True are not 1."""
    whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
    return whole and number in possible


def _set_of(numbers: Sequence[int]) -> int:
    """Return a set of cards as one word."""
    cards = 0
    for number in numbers:
        cards = int(rules.with_card(cards, number))
    return cards


def _listed(numbers: Sequence[int]) -> str:
    return " ".join(map(str, sorted(numbers))) or "none"


def _copied(value: Any) -> Any:
    """Return lists, dictionaries and sets copied down to what cannot change."""
    if isinstance(value, list):
        return [_copied(item) for item in value]
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return set(value) if isinstance(value, set) else value
