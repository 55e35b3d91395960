import { expect, test } from "vitest";
import { CurrentRun } from "./current-run.js";

test("a run is named after the message that begins it", () => {
  const run = new CurrentRun();
  run.expect("m1");
  expect([run.id, run.begin(["m1"]), run.id]).toEqual(["m1", 1, "m1"]);
  run.end();
  expect([run.begin(["m2", "m3"]), run.id]).toEqual([1, "m2"]);
});

test("a resumed run before it has an id of its own", () => {
  const run = new CurrentRun();
  run.expect("m1");
  expect(run.join()).toBe("m1");
  run.begin([]);
  expect(run.id).not.toBe("m1");
  run.end();
  run.begin(["m1"]);
  expect(run.id).toBe("m1");
});

test("an id that the sender of another message was given stays", () => {
  const run = new CurrentRun();
  const given = run.join();
  run.begin([]);
  expect(run.id).toBe(given);
  run.end();
  expect(run.join()).not.toBe(given);
});
