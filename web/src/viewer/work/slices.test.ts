import { expect, test } from "vitest";
import { createYielder, inSlices } from "./slices.js";

test("the page gets its turn when the work since the last pause took long enough", async () => {
  let now = 0;
  const pauses: number[] = [];
  const breathe = createYielder(
    async () => {
      pauses.push(now);
      now += 100;
    },
    () => now,
  );
  for (const ms of [5, 5, 5, 11, 1, 30]) {
    now += ms;
    await breathe();
  }
  expect(pauses).toEqual([15, 127, 257]);
});

test("bytes come in pieces, all of them in order", async () => {
  const bytes = Uint8Array.from({ length: 150_000 }, (_, at) => at % 251);
  let breaths = 0;
  const pieces: Uint8Array[] = [];
  for await (const piece of inSlices(bytes, async () => void breaths++)) pieces.push(piece);
  expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928]);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(breaths).toBe(3);
});
