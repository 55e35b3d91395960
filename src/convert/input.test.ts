import { expect, test } from "vitest";
import { check } from "./check.js";
import { convert } from "./convert.js";
import { load } from "./detect.js";
import { bytesOf } from "./input.js";
import { recordReader } from "./read.js";
import { repair } from "./repair.js";

const line = '{"role":"user","content":"cut \ud83d","timestamp":1740000000000}\n';

test("half a character in a text survives a conversion", async () => {
  const { output, losses } = await convert(line, { from: "openclaw", to: "openclaw" });
  expect(JSON.parse(output).content).toBe("cut \ud83d");
  expect(losses).toEqual([]);
});

test("check finds it, and repair does not touch it without being asked", async () => {
  const { problems } = await check(line, { from: "openclaw" });
  expect(problems.map(({ code }) => code)).toEqual(["content/lone-surrogate"]);
  expect(await repair(line, { from: "openclaw" })).toMatchObject({ output: line, changes: [] });
});

test.each([
  ["a whole character", '"\ud83d\ude00"', '"\ud83d\ude00"'],
  ["the second half", '"\ude00"', '"\\ude00"'],
  ["both halves, the wrong way round", '"\ude00\ud83d"', '"\\ude00\\ud83d"'],
  ["behind a backslash that is escaped", '"\\\\\ud83d"', '"\\\\\\ud83d"'],
  ["behind one that is not, where it is no JSON", '"\\\ud83d"', '"\\\ufffd"'],
])("%s", (_, text, expected) => {
  expect(new TextDecoder().decode(bytesOf(text))).toBe(expected);
});

test("a document may come in a buffer that is used again", async () => {
  const reader = recordReader((await load("clawtools")).framing);
  const chunk = Buffer.from('[{"role":"user","content":"Hi"}]');
  expect([...reader.push(chunk)]).toEqual([]);
  chunk.fill(0);
  expect([...reader.finish()].map(({ value }) => value)).toEqual([{ role: "user", content: "Hi" }]);
});
