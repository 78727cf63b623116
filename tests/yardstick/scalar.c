/* Yardstick 1 of 2: the obvious scalar C loop for random-against-random "Eggs of Ostrich".
 *
 * One playthrough after another, structs and branches, Fisher-Yates, xoshiro256**: what a
 * competent programmer writes first. Neither pessimised nor hand-vectorised.
 * Rules: 3 players, bags 2 3 5 7, ten of the twelve cards below (0 = amber, 4 points), every
 * seat picks uniformly among its legal claims; a player with no bag left is out, cannot win.
 *
 * gcc -O3 -march=native -shared -fPIC scalar.c -o scalar.so
 * play(): out[0..2] mean score of each seat, out[3..5] mean win share of each seat,
 *         out[6] mean ambers per seat, out[7] mean broken bags per seat.
 */
#include <stdbool.h>
#include <stdint.h>

enum { PLAYERS = 3, BAGS = 4, CARDS = 12, ROUNDS = 10, AMBER_POINTS = 4, SKIP = BAGS, NONE = -1 };

static const int capacity[BAGS] = {2, 3, 5, 7};
static const int deck[CARDS] = {0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10};

typedef struct {
    int eggs[BAGS];
    bool broken[BAGS];
    int bags_broken;
    int last; /* the claim that lies out this round, or NONE */
    int ambers;
} Player;

typedef struct { uint64_t s[4]; } Rng;

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

static int pick_claim(const Player *p, Rng *r)
{
    int legal[BAGS + 1], n = 0;
    for (int b = 0; b < BAGS; b++)
        if (!p->broken[b] && b != p->last) legal[n++] = b;
    if (p->last != SKIP) legal[n++] = SKIP;
    return legal[below(r, n)];
}

static int score(const Player *p)
{
    int points = AMBER_POINTS * p->ambers;
    for (int b = 0; b < BAGS; b++) /* a broken bag holds no eggs */
        points += p->eggs[b] == capacity[b] ? capacity[b] : p->eggs[b] / 2;
    return points;
}

static void play_round(Player *players, int card, Rng *r)
{
    int claim[PLAYERS], claimants = 0, skippers = 0;
    for (int i = 0; i < PLAYERS; i++) {
        claim[i] = NONE;
        if (players[i].bags_broken == BAGS) continue;
        claim[i] = pick_claim(&players[i], r);
        if (claim[i] == SKIP) skippers++;
        else claimants++;
    }
    for (int i = 0; i < PLAYERS; i++) {
        Player *p = &players[i];
        int c = claim[i];
        if (c == NONE) continue;
        p->last = c;
        if (c == SKIP) {
            if (card == 0 && skippers == 1) p->ambers++;
        } else if (card > 0) {
            p->eggs[c] += card / claimants;
            if (p->eggs[c] > capacity[c]) {
                p->eggs[c] = 0;
                p->broken[c] = true;
                p->bags_broken++;
                p->last = NONE;
            }
        }
    }
}

void play(uint64_t seed, uint64_t playthroughs, double *out)
{
    Rng rng;
    uint64_t points[PLAYERS] = {0}, ambers = 0, broken = 0;
    double wins[PLAYERS] = {0};
    seed_rng(&rng, seed);

    for (uint64_t game = 0; game < playthroughs; game++) {
        Player players[PLAYERS] = {0};
        int cards[CARDS], scores[PLAYERS], best = -1, winners = 0;
        for (int i = 0; i < PLAYERS; i++) players[i].last = NONE;
        for (int i = 0; i < CARDS; i++) cards[i] = deck[i];
        for (int i = CARDS - 1; i > 0; i--) {
            int j = below(&rng, i + 1), t = cards[i];
            cards[i] = cards[j];
            cards[j] = t;
        }

        for (int round = 0; round < ROUNDS; round++) play_round(players, cards[round], &rng);

        for (int i = 0; i < PLAYERS; i++) {
            const Player *p = &players[i];
            int s = score(p);
            points[i] += s;
            ambers += p->ambers;
            broken += p->bags_broken;
            scores[i] = p->bags_broken == BAGS ? -1 : s; /* out: can win only if all are */
            if (scores[i] > best) best = scores[i];
        }
        for (int i = 0; i < PLAYERS; i++) winners += scores[i] == best;
        for (int i = 0; i < PLAYERS; i++)
            if (scores[i] == best) wins[i] += 1.0 / winners;
    }

    double n = playthroughs ? (double)playthroughs : 1.0;
    for (int i = 0; i < PLAYERS; i++) {
        out[i] = points[i] / n;
        out[PLAYERS + i] = wins[i] / n;
    }
    out[6] = ambers / (PLAYERS * n);
    out[7] = broken / (PLAYERS * n);
}
