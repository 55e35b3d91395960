import { expect, test } from "vitest";
import { call, says, user } from "../../test/generate/repair-lines.js";
import { convert } from "./convert.js";
import { repair } from "./repair.js";

async function sealed(lines: string[], to: "qwen-code" | "pi"): Promise<string[]> {
  const { output } = await convert(lines.join("\n"), { from: "openclaw", to, escrow: true });
  return output.split("\n").filter((line) => line !== "");
}

test("an added result keeps its call if the records before it have no id", async () => {
  const lines = await sealed([user, says(call("c1"))], "qwen-code");
  const { output, changes } = await repair(lines.join("\n"), { from: "qwen-code" });
  expect(changes.map(({ code }) => code)).toEqual(["pairing/unanswered"]);
  const back = await convert(output, { from: "qwen-code", to: "openclaw" });
  const messages = back.output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(messages.map(({ role, parentId }) => [role, parentId])).toEqual([
    ["user", undefined],
    ["assistant", undefined],
    ["toolResult", undefined],
  ]);
});

test("records that refer to a refused one are set aside with it", async () => {
  const [first = "", ...rest] = await sealed([user, user, user], "qwen-code");
  const damaged = first.replace('"of":["session","user"]', '"of":["user"]');
  const { output, unplaced } = await repair([damaged, ...rest].join("\n"), { from: "qwen-code" });
  expect([output, unplaced.map(({ line }) => line)]).toEqual(["", [1, 2, 3]]);
});

test("the header of a conversation without a session stays", async () => {
  const [header = "", ...rest] = await sealed([user, user], "pi");
  expect(JSON.parse(header)).toMatchObject({ type: "session", "x-dragoman": { messages: [] } });
  const { output, unplaced } = await repair([header, "oops", ...rest].join("\n"), { from: "pi" });
  expect(unplaced.map(({ text }) => text)).toEqual(["oops"]);
  expect(output.split("\n")).toEqual([header, ...rest, ""]);
});
