/* Yardstick 2 of 2: the lane-wise loop for random-against-random "Eggs of Ostrich".
 *
 * BLOCK playthroughs side by side, struct of arrays, branch-free uint32 arithmetic, so that
 * gcc -O3 -march=native turns every loop over lanes into AVX2 by itself (-fopt-info-vec). It is
 * the bar that other simulators are held to. Same rules and same play() as scalar.c.
 *
 * One word a player, in 5-bit fields 0..4: bags 2 3 5 7, then skip.
 *   bag field: low 4 bits = eggs + 15 - capacity, so an egg too many carries into the field's top
 *   bit, the "broken" flag, which stays (the eggs of a flagged bag are ignored from then on).
 *   skip field: low bits = ambers.
 * A claim is one hot at its field's top bit, so "may not be played" is (word | last claim) & FLAGS:
 * a bag that broke and the card played last round are the same bit, and R-O2 costs nothing.
 * A multiplication by ONES makes prefix sums over fields: they give the number of legal claims,
 * and the pick is the first field whose prefix count exceeds the random index.
 * One hash serves the six picks of two rounds: each takes the high part of u * n, the rest goes on.
 * Players who are out play OUT, one field further up, which counts as neither claim nor skip.
 */
#include <stdint.h>

typedef uint32_t u32;
enum { ROUNDS = 10, CARDS = 12, DRAWS = CARDS + ROUNDS / 2 };
#ifndef BLOCK
#define BLOCK 256
#endif

#define ONES 0x0108421u     /* 1 in each of the fields 0..4 */
#define BAG_ONES 0x0008421u /* 1 in each bag field */
#define FLAGS (ONES << 4)
#define BAG_FLAGS (BAG_ONES << 4)
#define SKIP (1u << 24)
#define OUT (1u << 29)
#define EMPTY (13u | 12u << 5 | 10u << 10 | 8u << 15)
/* prefix sums lie 4 bits up. Field i: 15 + the number of claims in fields 0..i, so that its top bit
 * stays on while more than 0 are left; the 3 bits above field 4: 5, the number of claims */
#define PREFIX (16u << 4 | 17u << 9 | 18u << 14 | 19u << 19 | 20u << 24 | 5u << 29)

static const u32 deck[CARDS] = {0, 0, 0, 4, 5, 5, 6, 7, 8, 9, 9, 10};

static inline u32 lowest(u32 a, u32 b) { return a < b ? a : b; }
static inline u32 highest(u32 a, u32 b) { return a > b ? a : b; }

/* lowbias32 without its last xor-shift, which leaves the high 16 bits as they are */
static inline u32 hash(u32 x)
{
    x = (x ^ (x >> 16)) * 0x7feb352du;
    return (x ^ (x >> 15)) * 0x846ca68bu;
}

/* a uniform legal claim; u is 29 random bits and comes back with what is left of them */
static inline u32 pick(u32 w, u32 last, u32 *u, int can_be_out)
{
    u32 left = PREFIX - ((w | last) & FLAGS) * (ONES | 1u << 25);
    u32 p = *u * (left >> 29);
    u32 over = (left - (p >> 29) * (ONES << 4)) & (FLAGS << 4);
    u32 q = (over & -over) >> 4;
    *u = p & 0x1fffffffu;
    if (can_be_out) q += (w & BAG_FLAGS) == BAG_FLAGS ? OUT - SKIP : 0; /* q was SKIP */
    return q;
}

/* what a round's card gives, in every field that can get something; sum = the three claims added */
static inline u32 gain(u32 bag_ones, u32 card, u32 sum, int can_be_out)
{
    u32 idle = sum >> 21; /* 8 * skips, and 5 bits further up 8 * outs */
    if (can_be_out) idle += idle >> 5;
    /* 64 / claimants rounded up, for 3 2 1 0 of them */
    u32 share = (card * ((0x00402016u >> (idle & 24)) & 127)) >> 6;
    u32 amber = ((sum & 3u << 24) | card) == 1u << 24 ? 1u << 20 : 0; /* one skip on card 0 */
    return share * bag_ones + amber;
}

/* the low bits of a claim's field */
static inline u32 field(u32 claim) { return claim - (claim >> 4); }

/* half the eggs, and for a full bag 1 2 3 4 points more: 2-1, 3-1, 5-2, 7-3 */
static inline u32 score(u32 bag_ones, u32 w)
{
    u32 f = w & BAG_FLAGS, broken = f - (f >> 4);
    u32 halves = ((w - EMPTY) >> 1) & (7 * BAG_ONES) & ~broken;
    u32 full = ((w + BAG_ONES) & ~w & BAG_FLAGS) >> 4;
    u32 sums = halves * bag_ones + full * (4u | 3u << 5 | 2u << 10 | 1u << 15);
    return (sums >> 15 & 31) + (w >> 18 & 12);
}

static inline u32 standing(u32 w, u32 s) { return (w & BAG_FLAGS) == BAG_FLAGS ? 0 : s + 1; }

#define SWAP(i, j) do { u32 t = lowest(k##i, k##j); k##j = highest(k##i, k##j); k##i = t; } while (0)
#define ARRAY(name) u32 name[BLOCK] __attribute__((aligned(64)))

static uint64_t splitmix(uint64_t *s)
{
    uint64_t z = (*s += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void play(uint64_t seed, uint64_t playthroughs, double *out)
{
    ARRAY(card[ROUNDS]);
    ARRAY(w0); ARRAY(w1); ARRAY(w2); /* the players */
    ARRAY(l0); ARRAY(l1); ARRAY(l2); /* their last claims */
    ARRAY(rest); /* of the random bits, for the second of two rounds */
    uint64_t points[3] = {0}, sixths[3] = {0}, ambers = 0, broken = 0;

    u32 bag_ones = BAG_ONES;
    __asm__("" : "+r"(bag_ones)); /* or gcc makes shifts and additions of the product */

    for (uint64_t done = 0; done < playthroughs; done += BLOCK) {
        u32 n = playthroughs - done < BLOCK ? (u32)(playthroughs - done) : BLOCK;
        u32 at[DRAWS]; /* where in the hash's counter each draw of this block starts */
        for (int d = 0; d < DRAWS; d++) at[d] = (u32)(splitmix(&seed) >> 32);

#define KEY(c) u32 k##c = (hash(at[c] + i) & ~15u) | deck[c]
        for (u32 i = 0; i < BLOCK; i++) { /* deal: sort the cards by random keys */
            KEY(0); KEY(1); KEY(2); KEY(3); KEY(4); KEY(5);
            KEY(6); KEY(7); KEY(8); KEY(9); KEY(10); KEY(11);
            SWAP(0,8); SWAP(1,7); SWAP(2,6); SWAP(3,11); SWAP(4,10); SWAP(5,9);
            SWAP(0,1); SWAP(2,5); SWAP(3,4); SWAP(6,9); SWAP(7,8); SWAP(10,11);
            SWAP(0,2); SWAP(1,6); SWAP(5,10); SWAP(9,11);
            SWAP(0,3); SWAP(1,2); SWAP(4,6); SWAP(5,7); SWAP(8,11); SWAP(9,10);
            SWAP(1,4); SWAP(3,5); SWAP(6,8); SWAP(7,10);
            SWAP(1,3); SWAP(2,5); SWAP(6,9); SWAP(8,10);
            SWAP(2,3); SWAP(4,5); SWAP(6,7); SWAP(8,9);
            SWAP(4,6); SWAP(5,7);
            SWAP(3,4); SWAP(5,6);
            /* the cards of ranks 7 and 8 go back into the box: the last SWAP is not needed */
            card[0][i] = k0; card[1][i] = k1; card[2][i] = k2; card[3][i] = k3; card[4][i] = k4;
            card[5][i] = k5; card[6][i] = k6; card[7][i] = k9; card[8][i] = k10; card[9][i] = k11;
        }

/* Two short loops a round, not one long one for all: the chain of dependent steps within a lane is
 * long, and only in a short loop does the processor see far enough ahead to overlap lanes. */
#define LANES for (u32 i = 0; i < BLOCK; i++)
#define PICKS(can_be_out) \
        l0[i] = pick(w0[i], l0[i], &u, can_be_out); \
        l1[i] = pick(w1[i], l1[i], &u, can_be_out); \
        l2[i] = pick(w2[i], l2[i], &u, can_be_out)
#define GAINS(r, can_be_out) LANES { \
            u32 a = l0[i], b = l1[i], c = l2[i]; \
            u32 g = gain(bag_ones, card[r][i] & 15, a + b + c, can_be_out); \
            w0[i] += g & field(a); w1[i] += g & field(b); w2[i] += g & field(c); }
#define RANDOM(r) \
            u32 u = hash(at[CARDS + (r) / 2] + i); \
            u = (u ^ (u >> 16)) >> 3
#define TWO_ROUNDS(r, can_be_out) \
        LANES { RANDOM(r); PICKS(can_be_out); rest[i] = u; } \
        GAINS(r, can_be_out) \
        LANES { u32 u = rest[i]; PICKS(can_be_out); } \
        GAINS((r) + 1, can_be_out)

        LANES {
            RANDOM(0);
            w0[i] = w1[i] = w2[i] = EMPTY;
            l0[i] = pick(EMPTY, 0, &u, 0);
            l1[i] = pick(EMPTY, 0, &u, 0);
            l2[i] = pick(EMPTY, 0, &u, 0);
            rest[i] = u;
        }
        GAINS(0, 0)
        LANES { u32 u = rest[i]; PICKS(0); }
        GAINS(1, 0)
        TWO_ROUNDS(2, 0) /* nobody is out before the fifth round */
        TWO_ROUNDS(4, 1)
        TWO_ROUNDS(6, 1)
        TWO_ROUNDS(8, 1)

        u32 sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0; /* two 16-bit sums in each */
        for (u32 i = 0; i < n; i++) {
            u32 a = w0[i], b = w1[i], c = w2[i];
            u32 sa = score(bag_ones, a), sb = score(bag_ones, b), sc = score(bag_ones, c);
            u32 ta = standing(a, sa), tb = standing(b, sb), tc = standing(c, sc);
            u32 best = highest(highest(ta, tb), tc);
            u32 va = ta == best, vb = tb == best, vc = tc == best;
            u32 each = (0x02030600u >> (8 * (va + vb + vc))) & 15; /* 6 / winners */
            u32 flags = ((a & BAG_FLAGS) >> 4) + ((b & BAG_FLAGS) >> 4) + ((c & BAG_FLAGS) >> 4);
            u32 stones = ((a >> 20) & 3) + ((b >> 20) & 3) + ((c >> 20) & 3);
            sum0 += sa + ((0 - va) & each) * 65536u;
            sum1 += sb + ((0 - vb) & each) * 65536u;
            sum2 += sc + ((0 - vc) & each) * 65536u;
            sum3 += stones + ((flags * bag_ones) >> 15 & 15) * 65536u;
        }
        points[0] += sum0 & 65535; sixths[0] += sum0 >> 16;
        points[1] += sum1 & 65535; sixths[1] += sum1 >> 16;
        points[2] += sum2 & 65535; sixths[2] += sum2 >> 16;
        ambers += sum3 & 65535; broken += sum3 >> 16;
    }

    double n = playthroughs ? (double)playthroughs : 1.0;
    for (int i = 0; i < 3; i++) {
        out[i] = points[i] / n;
        out[3 + i] = sixths[i] / (6 * n);
    }
    out[6] = ambers / (3 * n);
    out[7] = broken / (3 * n);
}
