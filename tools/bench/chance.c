/* Random numbers for bsdgames' cribbage, preloaded under it: rand() is seeded with CHANCE_SEED, not
 * with the time, so that a game can be dealt again. With CHANCE_TURNED the two cuts for the first
 * deal are exchanged, and the other side deals the same cards. `bsdgames.decks` computes the same
 * numbers. */
#include <stdint.h>
#include <stdlib.h>

#define CARDS 52 /* numbers drawn for a shuffle */
#define CUTS 2   /* numbers drawn for the first deal */

static uint64_t seed, block, drawn;
static int turned = -1;

static int number(uint64_t place)
{
	uint64_t mixed;

	if (turned < 0) {
		const char *told = getenv("CHANCE_SEED");
		seed = told ? strtoull(told, 0, 10) : 0;
		turned = getenv("CHANCE_TURNED") != 0;
	}
	mixed = seed + 1000003 * block + place;
	mixed += 0x9e3779b97f4a7c15ULL;
	mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9ULL;
	mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebULL;
	return (int)((mixed ^ (mixed >> 31)) >> 34);
}

void srand(unsigned ignored)
{
	(void)ignored;
	block++;
	drawn = 0;
}

int rand(void)
{
	uint64_t place = drawn++, round = CARDS + CUTS;

	if (block == 1 && place >= CARDS && (place - CARDS) % round < CUTS) {
		uint64_t which = (place - CARDS) % round;
		int one = number(place - which), two = number(place - which + 1);

		if ((one >> 4) % CARDS == (two >> 4) % CARDS)
			two += 1 << 4; /* the program draws again for an equal card */
		return (which == 1) != (turned == 1) ? two : one;
	}
	return number(place);
}
