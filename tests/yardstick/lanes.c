/* Yardstick: the lane-wise C loop for random-against-random "Eggs of Ostrich".
 *
 * LANES playthroughs side by side, struct of arrays, branch-free 32-bit arithmetic on one packed
 * word a player, so that gcc -O3 -march=native vectorises every loop over lanes by itself. A cheap
 * hash gives a fresh random number for every card and every claim. Same rules and same play() as
 * scalar.c.
 *
 * A player's word: bits 0-15 eggs in four bags, 16-19 bag is whole, 20-22 last claim (7: none),
 * 23-27 ambers. Claims 0-3 are bags, 4 is skip, 7 is that of a player who is out.
 */
#include <stdint.h>

typedef uint32_t u32;
enum { LANES = 512, PLAYERS = 3, ROUNDS = 10, CARDS = 12, SKIP = 4, NONE = 7 };

static const u32 deck[CARDS] = {0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10};
#define CAPACITIES 0xFFFF7532u

static const int network[][2] = { /* Batcher's odd-even merge sort of twelve keys */
    {0,1},{2,3},{4,5},{6,7},{8,9},{10,11},{0,2},{1,3},{4,6},{5,7},{8,10},{9,11},{1,2},{5,6},{9,10},
    {0,4},{1,5},{2,6},{3,7},{2,4},{3,5},{1,2},{3,4},{5,6},{9,10},{0,8},{1,9},{2,10},{3,11},{4,8},
    {5,9},{6,10},{7,11},{2,4},{3,5},{6,8},{7,9},{1,2},{3,4},{5,6},{7,8},{9,10}};

static inline u32 hash(u32 x) /* lowbias32 */
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

static inline u32 choose(u32 word, u32 random) /* a uniform legal claim */
{
    u32 whole = word >> 16 & 15, legal = (whole | 16) & ~(1u << (word >> 20 & 7));
    u32 c0 = legal & 1, c1 = c0 + (legal >> 1 & 1), c2 = c1 + (legal >> 2 & 1);
    u32 c3 = c2 + (legal >> 3 & 1), n = c3 + (legal >> 4);
    u32 k = (random >> 3) * n >> 29;
    u32 claim = (c0 <= k) + (c1 <= k) + (c2 <= k) + (c3 <= k);
    return whole ? claim : NONE;
}

static inline u32 share_of(u32 card, u32 claimants)
{
    u32 few = claimants == 1 ? card : card >> 1;
    return claimants == 3 ? card * 43691 >> 17 : few;
}

static inline u32 after(u32 word, u32 claim, u32 share, u32 amber)
{
    u32 place = 4 * claim, gained = claim < SKIP ? share : 0;
    u32 breaks = (word >> place & 15) + gained > (CAPACITIES >> place & 15);
    u32 broken = word & ~(15u << place | 0x10000u << claim), kept = word + (gained << place);
    u32 bags = breaks ? broken : kept, last = breaks ? NONE : claim;
    return ((bags & ~(7u << 20)) | last << 20) + ((claim == SKIP ? amber : 0) << 23);
}

static inline u32 score(u32 word)
{
    u32 points = 4 * (word >> 23);
    for (int bag = 0; bag < 4; bag++) {
        u32 eggs = word >> 4 * bag & 15;
        points += eggs == (CAPACITIES >> 4 * bag & 15) ? eggs : eggs >> 1;
    }
    return points;
}

void play(uint64_t seed, uint64_t playthroughs, double *out)
{
    static _Thread_local u32 keys[CARDS][LANES], words[PLAYERS][LANES], claims[PLAYERS][LANES];
    static _Thread_local u32 shares[LANES], ambers[LANES], scores[PLAYERS][LANES];
    static _Thread_local u32 best[LANES], winners[LANES];
    uint64_t points[PLAYERS] = {0}, twelfths[PLAYERS] = {0}, found = 0, whole = 0;

    for (uint64_t done = 0; done < playthroughs; done += LANES) {
        u32 used = playthroughs - done < LANES ? (u32)(playthroughs - done) : LANES;
        u32 at = hash((u32)seed + (u32)(done / LANES)) ^ (u32)(seed >> 32);
        for (int card = 0; card < CARDS; card++, at += 0x9e3779b9u)
            for (u32 i = 0; i < LANES; i++) keys[card][i] = (hash(at + i) & ~15u) | deck[card];
        for (unsigned p = 0; p < sizeof network / sizeof *network; p++) {
            u32 *low = keys[network[p][0]], *high = keys[network[p][1]];
            for (u32 i = 0; i < LANES; i++) {
                u32 a = low[i], b = high[i];
                low[i] = a < b ? a : b;
                high[i] = a < b ? b : a;
            }
        }
        for (int p = 0; p < PLAYERS; p++)
            for (u32 i = 0; i < LANES; i++) words[p][i] = 15u << 16 | (u32)NONE << 20;

        for (int round = 0; round < ROUNDS; round++) {
            for (int p = 0; p < PLAYERS; p++, at += 0x9e3779b9u)
                for (u32 i = 0; i < LANES; i++) claims[p][i] = choose(words[p][i], hash(at + i));
            for (u32 i = 0; i < LANES; i++) {
                u32 a = claims[0][i], b = claims[1][i], c = claims[2][i], card = keys[round][i] & 15;
                shares[i] = share_of(card, (a < SKIP) + (b < SKIP) + (c < SKIP));
                ambers[i] = (card == 0) & ((a == SKIP) + (b == SKIP) + (c == SKIP) == 1);
            }
            for (int p = 0; p < PLAYERS; p++)
                for (u32 i = 0; i < LANES; i++)
                    words[p][i] = after(words[p][i], claims[p][i], shares[i], ambers[i]);
        }

        for (u32 i = 0; i < LANES; i++) best[i] = winners[i] = 0;
        for (int p = 0; p < PLAYERS; p++)
            for (u32 i = 0; i < LANES; i++) {
                scores[p][i] = score(words[p][i]);
                claims[p][i] = words[p][i] >> 16 & 15 ? scores[p][i] + 1 : 0; /* who is out loses */
                best[i] = claims[p][i] > best[i] ? claims[p][i] : best[i];
            }
        for (int p = 0; p < PLAYERS; p++)
            for (u32 i = 0; i < LANES; i++) winners[i] += claims[p][i] == best[i];
        for (int p = 0; p < PLAYERS; p++) {
            u32 sum = 0, wins = 0, amber = 0, bags = 0;
            for (u32 i = 0; i < used; i++) {
                u32 w = words[p][i], part = winners[i] == 1 ? 12 : winners[i] == 2 ? 6 : 4;
                sum += scores[p][i];
                wins += claims[p][i] == best[i] ? part : 0;
                amber += w >> 23;
                bags += (w >> 16 & 1) + (w >> 17 & 1) + (w >> 18 & 1) + (w >> 19 & 1);
            }
            points[p] += sum; twelfths[p] += wins; found += amber; whole += bags;
        }
    }

    double n = playthroughs ? (double)playthroughs : 1.0;
    for (int p = 0; p < PLAYERS; p++) {
        out[p] = (double)points[p] / n;
        out[PLAYERS + p] = (double)twelfths[p] / 12 / n;
    }
    out[6] = (double)found / (PLAYERS * n);
    out[7] = 4 - (double)whole / (PLAYERS * n);
}
