import { expect, test } from "vitest";
import type { Beat } from "../../convert/replay.js";
import { play } from "./pacing.js";

async function* beats(...pauses: number[]): AsyncGenerator<Beat> {
  for (const [index, afterMs] of pauses.entries()) yield { text: `${index}`, afterMs };
}

/** A clock whose sleeps take `late` milliseconds more than asked for. */
async function played(late: number, ...pauses: number[]): Promise<(string | number)[]> {
  const story: (string | number)[] = [];
  let time = 0;
  const write = async (text: string) => {
    story.push(text);
  };
  const sleep = async (ms: number) => {
    story.push(ms);
    time += ms + late;
  };
  await play(beats(...pauses), write, { now: () => time, sleep });
  return story;
}

test("it sleeps between the lines", async () => {
  expect(await played(0, 1000, 0, 250)).toEqual(["0", 1000, "1", "2", 250]);
});

test("pauses too short to sleep are saved up", async () => {
  expect(await played(0, 0.5, 0.25, 0.25, 0)).toEqual(["0", "1", "2", 1, "3"]);
});

test("what was overslept is made good", async () => {
  expect(await played(3, 10, 10, 2)).toEqual(["0", 10, "1", 7, "2"]);
});
