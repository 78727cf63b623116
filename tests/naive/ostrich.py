"""Eggs of Ostrich, written from the rule text as slowly and plainly as possible: a test oracle.

Quotations are from the rulebook; R-O1 ... R-O11 are the rulings.
A card is an int (0 is an amber). A claim is a bag's size or "skip"; None: nothing to decide.
"""

from fractions import Fraction
from itertools import product

AMBER = 0
SKIP = "skip"


class Ostrich:
    def __init__(
        self,
        players=3,
        bags=(2, 3, 5, 7),
        deck=(0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10),
        removed=2,
        rounds=10,
        amber_value=4,
        out_players_can_win=False,
    ):
        # "remove 2 cards ... The rest is put as a face down draw deck": one a round.
        if rounds > len(deck) - removed:
            raise ValueError("not enough cards for that many rounds")
        self.players = players
        self.sizes = sorted(bags)
        self.deck = list(deck)  # every card there is, the removed ones included
        self.removed = removed
        self.rounds = rounds
        self.amber_value = amber_value
        self.out_players_can_win = out_players_can_win
        # "The bag cards are lined up face up in front of each player" - empty at first.
        self.bags = [dict.fromkeys(self.sizes, 0) for _ in range(players)]
        self.ambers = [0 for _ in range(players)]
        self.lying_out = [None for _ in range(players)]  # claim card used last round, face up
        self.seen = []  # cards revealed so far, the open one included
        self.open_card = None
        self.rounds_played = 0

    def reveal(self, card):
        """ "The revealer ... reveals the top egg card of the deck at the start of each round."
        Who the revealer is has no effect on play (R-O9)."""
        if self.is_over():
            raise ValueError("the game is over")
        if self.open_card is not None:
            raise ValueError("a card lies open already")
        if card not in self.unseen():
            raise ValueError(f"no such card left: {card!r}")
        self.open_card = card
        self.seen.append(card)

    def legal(self, player):
        """The claims the player may play now, bags ascending and then "skip"."""
        if self.is_over() or self.open_card is None or self.is_out(player):
            return []  # an out player "plays no more cards" (R-O3)
        # "neither the bag nor the claim card can be used again"; a full bag may be claimed (R-O4).
        cards = [size for size in self.sizes if self.bags[player][size] is not None] + [SKIP]
        # cards used "stay face up ... and may not be used the next round" - "skip" too.
        return [card for card in cards if card != self.lying_out[player]]

    hand = legal

    def claim(self, claims):
        """ "When all players have put forward a face down claim card, all are revealed"."""
        if self.open_card is None:
            raise ValueError("no card lies open")
        if len(claims) != self.players:
            raise ValueError(f"one claim a player is wanted: {claims!r}")
        for player in range(self.players):
            if self.is_out(player):
                if claims[player] is not None:
                    raise ValueError(f"player {player} is out and claims {claims[player]!r}")
            elif claims[player] not in self.legal(player):
                raise ValueError(f"player {player} may not claim {claims[player]!r}")
        # "the cards used the previous round is returned to the players' hands"; these lie out now.
        self.lying_out = list(claims)
        if self.open_card == AMBER:
            self.give_amber(claims)
        else:
            self.share_eggs(claims)
        self.open_card = None
        self.rounds_played += 1

    def give_amber(self, claims):
        skippers = [player for player in range(self.players) if claims[player] == SKIP]
        # "if only one player played "skip", only that player gets an amber"
        # "If two or all three players played "skip", no one gets the amber"
        if len(skippers) == 1:
            self.ambers[skippers[0]] += 1
        # "players who played something else than "skip" gets nothing."

    def share_eggs(self, claims):
        takers = [p for p in range(self.players) if claims[p] is not None and claims[p] != SKIP]
        # "If all players who chose "skip", no one gets any eggs"; nothing carries over (R-O5).
        if len(takers) == 0:
            return
        # "share the eggs so that everyone gets an equal amount (rounded down)";
        # the remainder stays in the bank (R-O6), which never runs out (R-O7).
        share = self.open_card // len(takers)
        for player in takers:
            size = claims[player]
            # "placed onto the bag card with the same number as the claim card the player played."
            self.bags[player][size] += share
            # "more eggs than it can hold ... the bag breaks and all eggs in it are crushed!"
            if self.bags[player][size] > size:
                self.bags[player][size] = None
                # "put down the claim card ... on top of the bag": it does not lie out (R-O2).
                self.lying_out[player] = None

    def bags_of(self, player):
        return dict(self.bags[player])

    def ambers_of(self, player):
        return self.ambers[player]

    def is_out(self, player):
        """ "if all a player's bag break, that player is out of the game"."""
        return all(eggs is None for eggs in self.bags[player].values())

    def everybody_is_out(self):
        return all(self.is_out(player) for player in range(self.players))

    def is_over(self):
        """ "The game ends after 10 rounds." If all players are out it ends too (R-O3); while
        anyone is left, "continue the game on the remaining" players."""
        return self.rounds_played >= self.rounds or self.everybody_is_out()

    def score(self, player):
        points = 0
        for size, eggs in self.bags[player].items():
            if eggs == size:  # "worth as many points as it can carry eggs"
                points += size
            elif eggs is not None:  # "half as many points ... rounded down"
                points += eggs // 2
        # "All amber are worth 4 points each"; an out player's are reported too (R-O3).
        return points + self.ambers[player] * self.amber_value

    def shares(self):
        """ "The player with the most total points wins"; tied players share equally (R-O1)."""
        everyone = range(self.players)
        if self.everybody_is_out() and not self.out_players_can_win:
            return [Fraction(1, self.players) for _ in everyone]  # R-O3: "equally by all"
        # R-O3: an out player "cannot win"; other value: "also when all are out"
        candidates = [p for p in everyone if self.out_players_can_win or not self.is_out(p)]
        best = max(self.score(p) for p in candidates)
        winners = [p for p in candidates if self.score(p) == best]
        return [Fraction(1, len(winners)) if p in winners else Fraction(0) for p in everyone]

    def unseen(self):
        """Cards never revealed so far: the draw deck and the removed cards together (R-O10)."""
        cards = sorted(self.deck)
        for card in self.seen:
            cards.remove(card)
        return cards

    def draws(self):
        """ "a draw is uniform over the cards not yet seen" (R-O10); {} when the game is over."""
        unseen = [] if self.is_over() else self.unseen()
        return {card: Fraction(unseen.count(card), len(unseen)) for card in sorted(set(unseen))}

    def key(self):
        """Everything but the order of the deck and the removed cards is public (R-O8)."""
        people = []
        for player in range(self.players):
            bags = tuple((size, self.bags[player][size]) for size in self.sizes)
            people.append((bags, self.ambers[player], self.lying_out[player]))
        return (tuple(people), tuple(sorted(self.seen)), self.open_card, self.rounds_played)

    def copy(self):
        other = Ostrich(
            self.players,
            self.sizes,
            self.deck,
            self.removed,
            self.rounds,
            self.amber_value,
            self.out_players_can_win,
        )
        other.bags = [dict(bags) for bags in self.bags]
        other.ambers, other.lying_out = list(self.ambers), list(self.lying_out)
        other.seen, other.open_card = list(self.seen), self.open_card
        other.rounds_played = self.rounds_played
        return other


def perft(game, rounds):
    """Play every sequence (card value, joint claim, ...) of that many rounds. A game that is over
    earlier counts once, as it stands, in all four numbers. Start it with no card lying open."""
    keys = set()
    total = {"histories": 0, "states": 0, "terminal": 0, "score_sum": 0}

    def walk(position, left):
        if left == 0 or position.is_over():
            total["histories"] += 1
            total["terminal"] += 1 if position.is_over() else 0
            total["score_sum"] += position.score(0)
            keys.add(position.key())
            return
        for card in position.draws():
            revealed = position.copy()
            revealed.reveal(card)
            choices = [revealed.legal(p) or [None] for p in range(revealed.players)]
            for claims in product(*choices):
                after = revealed.copy()
                after.claim(list(claims))
                walk(after, left - 1)

    walk(game, rounds)
    total["states"] = len(keys)
    return total
