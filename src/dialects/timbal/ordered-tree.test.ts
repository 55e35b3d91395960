import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { OrderedTree } from "./ordered-tree.js";

const key = (n: number) => String(n).padStart(6, "0");

describe("work", () => {
  const COUNT = 100_000;
  /** A tree balanced like this is less than two and a half times as high as the best one, which has 17 levels. */
  const AT_MOST = 2.5 * 17 * COUNT;

  test.each<[string, (n: number) => number]>([
    ["the oldest first", (n) => n],
    ["the newest first", (n) => COUNT - n],
    ["from both ends", (n) => (n % 2 === 0 ? n : 2 * COUNT - n)],
    ["scattered", (n) => (n * 7919) % 104_729],
  ])("grows with the logarithm: %s", (_, place) => {
    let looks = 0;
    const tree = new OrderedTree<string>((item) => {
      looks++;
      return item;
    });
    for (let n = 0; n < COUNT; n++) tree.add(key(place(n)));
    expect(tree.size).toBe(COUNT);
    expect(looks).toBeGreaterThan(10 * COUNT);
    expect(looks).toBeLessThan(AT_MOST);

    looks = 0;
    for (let n = 0; n < COUNT; n++) tree.indexOf(key(place(n)));
    expect(looks).toBeLessThan(AT_MOST);

    looks = 0;
    for (let n = 0; n < COUNT; n++) tree.remove(key(place(n)));
    expect(tree.size).toBe(0);
    expect(looks).toBeLessThan(AT_MOST);
  });
});

test("it is a sorted list, whatever is added and removed", () => {
  const seen = { added: 0, removed: 0 };
  fc.assert(
    fc.property(fc.array(fc.nat(60), { minLength: 30, maxLength: 200 }), (numbers) => {
      const tree = new OrderedTree<string>((item) => item);
      const list: string[] = [];
      for (const item of numbers.map(key)) {
        const at = list.indexOf(item);
        if (at < 0) {
          tree.add(item);
          list.push(item);
          list.sort();
          seen.added++;
        } else {
          expect(tree.indexOf(item)).toBe(at);
          tree.remove(item);
          list.splice(at, 1);
          seen.removed++;
        }
        expect([...tree]).toEqual(list);
        expect(tree.size).toBe(list.length);
      }
    }),
    { numRuns: 50 },
  );
  expect(seen.added).toBeGreaterThan(500);
  expect(seen.removed).toBeGreaterThan(500);
});

test("what is not there has a place too", () => {
  const tree = new OrderedTree<string>((item) => item);
  for (const item of ["b", "d"]) tree.add(item);
  expect(["a", "b", "c", "d", "e"].map((item) => tree.indexOf(item))).toEqual([0, 0, 1, 1, 2]);
});
