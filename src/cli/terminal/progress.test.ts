import { expect, test } from "vitest";
import { bar, progress } from "./progress.js";

async function* chunks(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size);
}

async function lengths(source: AsyncIterable<Uint8Array>): Promise<number[]> {
  const seen: number[] = [];
  for await (const chunk of source) seen.push(chunk.length);
  return seen;
}

test("a bar shows how much of how much", () => {
  expect(bar(0, 1000)).toBe("░░░░░░░░░░░░░░░░░░░░░░░░   0%  0 bytes of 1.0 kB");
  expect(bar(1_100_000_000, 2_000_000_000)).toBe("█████████████░░░░░░░░░░░  55%  1.1 GB of 2.0 GB");
  expect(bar(3000, 3000)).toBe("████████████████████████ 100%  3.0 kB of 3.0 kB");
  expect(bar(12_300_000, undefined)).toBe("12.3 MB");
  expect(bar(500, 1000, 8_000)).toBe("████████████░░░░░░░░░░░░  50%  500 bytes of 1.0 kB, 8 s left");
  expect(bar(100, 1000, 20_000)).toBe("██░░░░░░░░░░░░░░░░░░░░░░  10%  100 bytes of 1.0 kB, 3 min left");
});

test("it is drawn ten times a second at most, and taken away", async () => {
  const times = [0, 0, 50, 100, 100, 100, 150, 200, 200, 200];
  const written: string[] = [];
  const terminal = { isTTY: true, write: (text: string) => written.push(text) };
  const shown = progress(terminal, undefined, () => times.shift() ?? 200);
  expect(await lengths(shown.through(chunks(1, 2, 3, 4)))).toEqual([1, 2, 3, 4]);
  shown.end();
  expect(written).toEqual(["\r\u001b[K3 bytes", "\r\u001b[K10 bytes", "\r\u001b[K"]);
});

test("off a terminal nothing is written", async () => {
  const written: string[] = [];
  const shown = progress({ write: (text: string) => written.push(text) }, 10);
  expect(await lengths(shown.through(chunks(5, 5)))).toEqual([5, 5]);
  shown.end();
  expect(written).toEqual([]);
});
