import fc from "fast-check";

export type Mutate = (bytes: Uint8Array) => Uint8Array;

const at = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const structural = fc.constantFrom(...[...'{}[]":,0-n\\\n '].map((char) => char.charCodeAt(0)));

function splice(bytes: Uint8Array, start: number, end: number, insert: readonly number[]): Uint8Array {
  return new Uint8Array([...bytes.subarray(0, start), ...insert, ...bytes.subarray(end)]);
}

const oneMutation: fc.Arbitrary<Mutate> = fc.oneof(
  fc.tuple(at, fc.oneof(structural, fc.nat(255))).map(
    ([where, byte]): Mutate =>
      (bytes) => {
        const start = Math.floor(where * bytes.length);
        return splice(bytes, start, start + 1, [byte]);
      },
  ),
  at.map(
    (where): Mutate =>
      (bytes) =>
        bytes.slice(0, Math.floor(where * bytes.length)),
  ),
  fc.tuple(at, fc.nat(20)).map(
    ([where, length]): Mutate =>
      (bytes) => {
        const start = Math.floor(where * bytes.length);
        return splice(bytes, start, start + length, []);
      },
  ),
  fc.tuple(at, fc.nat(30), at).map(
    ([where, length, to]): Mutate =>
      (bytes) => {
        const start = Math.floor(where * bytes.length);
        const target = Math.floor(to * bytes.length);
        return splice(bytes, target, target, [...bytes.subarray(start, start + length)]);
      },
  ),
  fc
    .tuple(
      at,
      fc.constantFrom('"role":"user"', '"type":"text"', "null", "[]", "{}", '"__proto__":{}', "1e999"),
    )
    .map(
      ([where, text]): Mutate =>
        (bytes) => {
          const start = Math.floor(where * bytes.length);
          return splice(bytes, start, start + text.length, [...new TextEncoder().encode(text)]);
        },
    ),
);

/** One to three small accidents: a byte changed, a piece lost, moved or overwritten, the end cut off. */
export const mutation: fc.Arbitrary<Mutate> = fc
  .array(oneMutation, { minLength: 1, maxLength: 3 })
  .map((list) => (bytes) => list.reduce((current, mutate) => mutate(current), bytes));
