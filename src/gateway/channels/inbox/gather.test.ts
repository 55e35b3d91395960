import { expect, test } from "vitest";
import { SteppedWorld } from "../../../../test/fakes/stepped-world.js";
import { Gather } from "./gather.js";

function gather() {
  const world = new SteppedWorld();
  const flushed: string[][] = [];
  return { world, flushed, gather: new Gather<string>(world, (items) => flushed.push(items)) };
}

test("what comes close together is handed on together", () => {
  const { world, flushed, gather: g } = gather();
  g.add("ann", "one", 300);
  world.pass(299);
  g.add("ann", "two", 300);
  g.add("bob", "other", 300);
  world.pass(299);
  expect(flushed).toEqual([]);
  world.pass(1);
  expect(flushed).toEqual([["one", "two"], ["other"]]);
});

test("without a pause nothing waits", () => {
  const { flushed, gather: g } = gather();
  g.add("ann", "one", 0);
  expect(flushed).toEqual([["one"]]);
});

test("somebody who never stops is handed on all the same", () => {
  const { world, flushed, gather: g } = gather();
  for (let count = 0; count < 12; count++) {
    g.add("ann", `m${count}`, 100);
    world.pass(50);
  }
  expect(flushed).toEqual([["m0", "m1", "m2", "m3", "m4", "m5", "m6", "m7", "m8", "m9"]]);
});

test("what waits can be replaced, flushed and forgotten", () => {
  const { world, flushed, gather: g } = gather();
  g.add("ann", "one", 100);
  expect(
    g.replace(
      (item) => item === "one",
      (item) => `${item}!`,
    ),
  ).toBe(true);
  expect(
    g.replace(
      (item) => item === "two",
      (item) => item,
    ),
  ).toBe(false);
  g.flush("ann");
  g.flush("ann");
  g.add("ann", "three", 100);
  g.clear();
  world.pass(1000);
  expect(flushed).toEqual([["one!"]]);
  expect(world.waiting).toBe(0);
});
