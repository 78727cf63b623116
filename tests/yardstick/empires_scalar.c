/* Yardstick: the obvious scalar C loop for random-against-random "Eggs and Empires".
 *
 * One game after another, small arrays and branches, Fisher-Yates, xoshiro256**: what a competent
 * programmer writes first. Neither pessimised nor hand-vectorised. 2 to 6 players, three rounds,
 * default rulings with the assumed egg deck. Everybody picks uniformly: a coin for the mulligan, a
 * card (two players: a pair of numbers), an egg on the table, what to give or discard, or nothing.
 *
 * gcc -O3 -march=native -shared -fPIC empires_scalar.c -o empires_scalar.so
 * play(): adds to out[0..5] win shares of each seat in sixtieths, out[6..11] total VP of each
 *         seat, out[12] Merchant bonuses, out[13] Blacksmith penalties, out[14] eggs collected
 *         by cards, out[15] eggs still owned when the rounds were scored; all as sums over games.
 */
#include <stdbool.h>
#include <stdint.h>

enum { SCOUT = 2, SHEPHERD, COURIER, MERCHANT, PRIEST, MAGE, BLACKSMITH, DARK_PRIESTESS };
enum { MAX_PLAYERS = 6, NUMBERS = 10, TURNS = 9, ROUNDS = 3, MAX_TABLE = 10, NONE = -1 };
enum { WINS = 0, SCORES = 6, MERCHANTS = 12, BLACKSMITHS, COLLECTED, KEPT };

static const int8_t egg_deck[42] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, -2, -3, -4, -5, -6, -7, -8, -9, -10, /* 2/3/4p */
    1, 3, 5, 7, 9, 11, 12, -2, -4, -6,                                              /* 5p */
    2, 4, 6, 8, 10, 12, 13, -3, -5, -8};                                            /* 6p */

typedef struct {
    int8_t deck[2 * NUMBERS], hand[4], eggs[24]; /* two Empire decks with two players */
    int drawn, held, owned; /* how many cards are out of the deck, in the hand; how many eggs */
    int bonus, total;       /* of this round's Merchants and Blacksmiths; of the rounds scored */
} Player;

typedef struct {
    uint8_t number, rank, player;
    int8_t slot; /* the egg collected, an index into its player's eggs, or NONE */
} Card;

typedef struct { uint64_t s[4]; } Rng;

typedef struct {
    Rng rng;
    int64_t *out;
    int players, hand_size, deck_size, eggs_shown, egg_cards, marker;
    Player player[MAX_PLAYERS];
    int8_t eggs[42]; /* the egg deck */
    int8_t table[MAX_TABLE]; /* the eggs that can be collected this turn */
    bool hidden[MAX_TABLE];
    int eggs_drawn, on_table;
} Game;

static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static uint64_t next(Rng *r) /* xoshiro256** */
{
    uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3];
    s[2] ^= t; s[3] = rotl(s[3], 45);
    return result;
}

static void seed_rng(Rng *r, uint64_t seed) /* splitmix64 */
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        r->s[i] = z ^ (z >> 31);
    }
}

static int below(Rng *r, int n) { return (int)(((next(r) >> 32) * (uint64_t)n) >> 32); }

static void swap(int8_t *a, int8_t *b) { int8_t t = *a; *a = *b; *b = t; }

static void shuffle(Rng *r, int8_t *cards, int n)
{
    for (int i = n - 1; i > 0; i--) swap(&cards[i], &cards[below(r, i + 1)]);
}

static void put_on_table(Game *g, bool hidden)
{
    if (g->eggs_drawn == g->egg_cards) return; /* R-E12, R-E14 */
    g->table[g->on_table] = g->eggs[g->eggs_drawn++];
    g->hidden[g->on_table++] = hidden;
}

static void reveal_eggs(Game *g) /* what was left is discarded */
{
    g->on_table = 0;
    for (int i = 0; i < g->eggs_shown; i++) put_on_table(g, false);
}

static void start_round(Game *g)
{
    int n = g->deck_size, h = g->hand_size;
    for (Player *p = g->player; p < g->player + g->players; p++) {
        for (int c = 0; c < n; c++) p->deck[c] = c < NUMBERS ? c + 1 : c + 1 - NUMBERS;
        shuffle(&g->rng, p->deck, n);
        if (below(&g->rng, 2)) { /* mulligan: swap the hand for the next cards, shuffle the rest */
            for (int c = 0; c < h; c++) swap(&p->deck[c], &p->deck[h + c]);
            shuffle(&g->rng, p->deck + h, n - h);
        }
        for (int c = 0; c < h; c++) p->hand[c] = p->deck[c];
        p->drawn = p->held = h, p->owned = p->bonus = 0;
    }
    for (int i = 0; i < g->egg_cards; i++) g->eggs[i] = egg_deck[i];
    shuffle(&g->rng, g->eggs, g->egg_cards);
    g->eggs_drawn = 0;
    reveal_eggs(g); /* the marker has been passed already */
}

static int play_card(Player *p, int at) /* out of the hand */
{
    int number = p->hand[at];
    p->hand[at] = p->hand[--p->held];
    return number;
}

static void play_pair(Player *p, Rng *r, int *number) /* two players: two different numbers */
{
    int at[4], n = 0, seen = 0;
    for (int i = 0; i < p->held; i++) {
        if (!(seen >> p->hand[i] & 1)) at[n++] = i;
        seen |= 1 << p->hand[i];
    }
    int a = below(r, n), b = below(r, n - 1);
    if (b >= a) b++;
    number[0] = play_card(p, at[a > b ? a : b]); /* the later one first: it moves none before */
    number[1] = play_card(p, at[a > b ? b : a]);
}

static int pick_egg(Game *g, int number)
{
    if (number != MAGE) return below(&g->rng, g->on_table);
    int legal[MAX_TABLE + 1], n = 0;
    bool must = false; /* with a good egg face up */
    for (int i = 0; i < g->on_table; i++) {
        must |= !g->hidden[i] && g->table[i] >= 0;
        if (g->hidden[i] || g->table[i] >= 0) legal[n++] = i;
    }
    if (!must) legal[n++] = NONE;
    return legal[below(&g->rng, n)];
}

static void collect(Game *g, Card *card)
{
    int at = pick_egg(g, card->number);
    if (at == NONE) return;
    Player *p = &g->player[card->player];
    card->slot = p->owned++;
    p->eggs[card->slot] = g->table[at];
    g->table[at] = g->table[--g->on_table];
    g->hidden[at] = g->hidden[g->on_table];
    g->out[COLLECTED]++;
}

static void play_turn(Game *g, int turn)
{
    Card cards[MAX_PLAYERS], order[MAX_PLAYERS];
    int n = 0, seen = 0, twice = 0;
    for (int d = 0; d < g->players; d++) { /* from the marker's holder, clockwise */
        int i = (g->marker + d) % g->players, number[2];
        Player *p = &g->player[i];
        if (g->players == 2) play_pair(p, &g->rng, number);
        else number[0] = play_card(p, below(&g->rng, p->held));
        for (int k = 0; k < (g->players == 2 ? 2 : 1); k++) {
            cards[n++] = (Card){number[k], 2 * number[k], i, NONE};
            twice |= seen & 1 << number[k];
            seen |= 1 << number[k];
        }
    }
    for (int i = 0; i < n; i++) { /* a stable insertion sort, the highest first */
        Card c = cards[i];
        int k = i;
        if (c.number == SHEPHERD && seen >> BLACKSMITH & 1) c.rank = 2 * BLACKSMITH + 1;
        for (; k > 0 && order[k - 1].rank < c.rank; k--) order[k] = order[k - 1];
        order[k] = c;
    }
    bool cancelled = twice >> DARK_PRIESTESS & 1;
    for (int i = 0; i < n && g->on_table > 0; i++)
        if (!(cancelled && order[i].number == DARK_PRIESTESS)) collect(g, &order[i]);

    bool last = turn == TURNS - 1;
    if (!last) reveal_eggs(g); /* before the powers, R-E9 */
    for (int i = 0; i < n; i++) {
        Card *c = &order[i];
        if (c->number != COURIER || c->slot == NONE) continue;
        Player *p = &g->player[c->player], *q = &g->player[below(&g->rng, g->players)];
        if (q == p) continue; /* keeps it */
        q->eggs[q->owned++] = p->eggs[c->slot];
        p->eggs[c->slot] = p->eggs[--p->owned];
    }
    for (int i = 0; i < n; i++) { /* in this order Priests come before Scouts */
        Card *c = &order[i];
        Player *p = &g->player[c->player];
        if (c->number == PRIEST && c->slot != NONE) {
            int at = below(&g->rng, p->owned + 1);
            if (at < p->owned) p->eggs[at] = p->eggs[--p->owned];
        } else if (c->number == SCOUT && !last) put_on_table(g, true);
        else if (c->number == MERCHANT && c->slot == NONE) {
            p->bonus += 6;
            g->out[MERCHANTS]++;
        } else if (c->number == BLACKSMITH && c->slot == NONE) {
            p->bonus -= 4;
            g->out[BLACKSMITHS]++;
        }
    }
    for (Player *p = g->player; p < g->player + g->players; p++)
        while (p->held < g->hand_size && p->drawn < g->deck_size)
            p->hand[p->held++] = p->deck[p->drawn++];
    if (twice & ~(1 << DARK_PRIESTESS)) g->marker = g->marker + 1 == g->players ? 0 : g->marker + 1;
}

static void play_round(Game *g)
{
    start_round(g);
    for (int turn = 0; turn < TURNS; turn++) play_turn(g, turn);
    for (Player *p = g->player; p < g->player + g->players; p++) {
        p->total += p->bonus;
        for (int e = 0; e < p->owned; e++) p->total += p->eggs[e];
        g->out[KEPT] += p->owned;
    }
    int lowest = (g->marker + 1) % g->players; /* R-E17: from the holder's left, the holder last */
    for (int d = 2, i; d <= g->players; d++)
        if (g->player[i = (g->marker + d) % g->players].total < g->player[lowest].total) lowest = i;
    g->marker = lowest;
}

void play(uint64_t seed, uint64_t games, int players, int64_t *out)
{
    Game g = {.players = players, .out = out};
    seed_rng(&g.rng, seed);
    g.hand_size = players == 2 ? 4 : 3;
    g.deck_size = players == 2 ? 2 * NUMBERS : NUMBERS;
    g.eggs_shown = players < 5 ? 2 : players - 2;
    g.egg_cards = players < 5 ? 22 : players == 5 ? 32 : 42;
    for (uint64_t game = 0; game < games; game++) {
        int best = -1000, winners = 0;
        g.marker = below(&g.rng, players); /* R-E18 */
        for (int i = 0; i < players; i++) g.player[i].total = 0;
        for (int round = 0; round < ROUNDS; round++) play_round(&g);
        for (int i = 0; i < players; i++)
            if (g.player[i].total > best) best = g.player[i].total;
        for (int i = 0; i < players; i++) winners += g.player[i].total == best;
        for (int i = 0; i < players; i++) {
            out[SCORES + i] += g.player[i].total;
            if (g.player[i].total == best) out[WINS + i] += 60 / winners;
        }
    }
}
