"""Count order types, stored values and games by brute force; prints counts.csv.

Standard library only, and nothing of the package: words are written out and counted.
"""

from itertools import combinations, product
from math import comb

LARGEST = 10


def word(one: tuple[int, ...], two: tuple[int, ...]) -> str:
    """How two hands interleave."""
    letters = {(True, False): "V", (False, True): "Y", (True, True): "B"}
    return "".join(letters[c in one, c in two] for c in sorted({*one, *two}))


def main() -> None:
    """Print one line per game and layer."""
    print("n,size,order_types,stored_pairs,values,games")
    # Words by their numbers of cards; those of length at most n are met in the game of n cards.
    lengths: dict[int, list[int]] = {size: [] for size in range(1, LARGEST + 1)}
    for length in range(1, LARGEST + 1):
        for letters in product("VYB", repeat=length):
            one, two = letters.count("V"), letters.count("Y")
            if one == two:
                lengths[one + letters.count("B")].append(length)
    for n in range(1, LARGEST + 1):
        for size in range(1, n):
            types = sum(length <= n for length in lengths[size])
            pairs = (types - 1) // 2  # equal hands are one type; the others come in mirrored twos
            if n <= 5:  # the words themselves, from all pairs of hands
                hands = list(combinations(range(1, n + 1), size))
                assert types == len({word(one, two) for one in hands for two in hands})
            values = pairs * comb(n, size)
            print(f"{n},{size},{types},{pairs},{values},{values * size}")


if __name__ == "__main__":
    main()
