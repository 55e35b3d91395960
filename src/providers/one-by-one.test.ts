import { expect, test } from "vitest";
import { OneByOne } from "./one-by-one.js";

/** Batches of numbers, and what became of their source. */
function source(...batches: number[][]) {
  const log: string[] = [];
  async function* read() {
    try {
      for (const batch of batches) yield batch.values();
      log.push("end");
    } finally {
      log.push("closed");
    }
  }
  return { items: new OneByOne(read()), log };
}

test("all items come in order, across empty batches", async () => {
  const { items, log } = source([1, 2], [], [3], []);
  const seen: number[] = [];
  for await (const item of items) seen.push(item);
  expect(seen).toEqual([1, 2, 3]);
  expect(log).toEqual(["end", "closed"]);
});

test("who asks before the answer has come gets the next one, and nobody overtakes", async () => {
  for (let turns = 0; turns < 20; turns++) {
    const { items } = source([1, 2, 3], [4]);
    const asked = [items.next(), items.next()];
    for (let turn = 0; turn < turns; turn++) await undefined;
    asked.push(items.next(), items.next(), items.next());
    const values = (await Promise.all(asked)).map(({ value }) => value);
    expect(values).toEqual([1, 2, 3, 4, undefined]);
  }
});

test("a loop that is left closes the source, and nothing comes any more", async () => {
  const { items, log } = source([1, 2, 3]);
  for await (const item of items) if (item === 2) break;
  expect(log).toEqual(["closed"]);
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test("nothing is read before the first item is asked for", async () => {
  const { items, log } = source([1]);
  await items.return();
  expect(log).toEqual([]);
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test("what is thrown into it reaches the source", async () => {
  const { items, log } = source([1, 2]);
  await items.next();
  await expect(items.throw(new Error("enough"))).rejects.toThrow("enough");
  expect(log).toEqual(["closed"]);
});

test("a source that fails is an error after the items before it", async () => {
  async function* read() {
    yield [1, 2].values();
    throw new Error("gone");
  }
  const items = new OneByOne(read());
  expect([await items.next(), await items.next()]).toEqual([
    { value: 1, done: false },
    { value: 2, done: false },
  ]);
  await expect(items.next()).rejects.toThrow("gone");
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test("a batch that fails is an error after the items before it, and closes the source", async () => {
  const log: string[] = [];
  function* batch() {
    yield 1;
    yield 2;
    throw new Error("broken");
  }
  async function* read() {
    try {
      yield batch();
    } finally {
      log.push("closed");
    }
  }
  const items = new OneByOne(read());
  const seen: number[] = [];
  const reading = async () => {
    for await (const item of items) seen.push(item);
  };
  await expect(reading()).rejects.toThrow("broken");
  expect({ seen, log }).toEqual({ seen: [1, 2], log: ["closed"] });
  expect(await items.next()).toEqual({ value: undefined, done: true });
});

test("nothing comes after the end was asked for, also when it was asked for before an answer came", async () => {
  for (let turns = 0; turns < 20; turns++) {
    const { items, log } = source([1, 2, 3], [4]);
    const asked = [items.next(), items.return()];
    for (let turn = 0; turn < turns; turn++) await undefined;
    asked.push(items.next());
    const values = (await Promise.all(asked)).map(({ value }) => value);
    expect(values).toEqual([1, undefined, undefined]);
    expect(log).toEqual(["closed"]);
  }
});
