/** Bytes are elements of GF(2⁸), with x⁸ + x⁴ + x³ + x² + 1. */
const MODULUS = 0x11d;

function multiply(one: number, other: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * MODULUS);
    if (((other >> bit) & 1) === 1) product ^= one;
  }
  return product;
}

/** The product of (x − 2⁰) … (x − 2ⁿ⁻¹), without its leading 1, the highest power first. */
function generator(degree: number): number[] {
  const result: number[] = Array.from({ length: degree }, (_, index) => (index === degree - 1 ? 1 : 0));
  let root = 1;
  for (let factor = 0; factor < degree; factor++) {
    for (let index = 0; index < degree; index++) {
      result[index] = multiply(result[index] ?? 0, root) ^ (result[index + 1] ?? 0);
    }
    root = multiply(root, 2);
  }
  return result;
}

/** The Reed-Solomon bytes of a block: the remainder of its division by the generator. */
export function errorCorrection(block: Uint8Array, count: number): Uint8Array {
  const divisor = generator(count);
  const rest = new Uint8Array(count);
  for (const byte of block) {
    const factor = byte ^ (rest[0] ?? 0);
    rest.copyWithin(0, 1);
    rest[count - 1] = 0;
    for (const [index, coefficient] of divisor.entries()) {
      rest[index] = (rest[index] ?? 0) ^ multiply(coefficient, factor);
    }
  }
  return rest;
}
