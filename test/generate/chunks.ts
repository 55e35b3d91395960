/** Input for the law that cutting bytes into chunks changes nothing. */

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** The bytes cut at these positions, in any order; a position given twice makes an empty chunk. */
export function cutAt(bytes: Uint8Array, positions: readonly number[]): Uint8Array[] {
  const cuts = [0, ...[...positions].sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((end, i) => bytes.slice(cuts[i], end));
}

export function oneByOne(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

/** Every way to cut the bytes in three, some empty, and one by one. Quadratic in number: for small inputs. */
export function* everyCut(bytes: Uint8Array): Generator<Uint8Array[], void, undefined> {
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) yield cutAt(bytes, [first, second]);
  }
  yield oneByOne(bytes);
}

/** Folds any numbers into positions within the bytes, for generators that do not know how many there are. */
export function positionsWithin(bytes: Uint8Array, numbers: readonly number[]): number[] {
  return numbers.map((number) => number % (bytes.length + 1));
}
