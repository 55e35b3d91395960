import { describe, expect, test } from "vitest";
import { ThinkTags } from "./think-tags.js";

function read(pieces: readonly string[]) {
  const said = { thinking: "", text: "", space: undefined as object | undefined };
  const tags = new ThinkTags({
    addText: (delta) => {
      said.text += delta;
    },
    addThinking: (delta) => {
      said.thinking += delta;
    },
    endThinking: (space) => {
      said.space = space;
    },
  });
  for (const piece of pieces) tags.push(piece);
  tags.end();
  return said;
}

const space = (before: string, after: string, behind: string, front = "") => ({
  front,
  before,
  after,
  behind,
});

describe.each([
  ["<think>\na b\n</think>\n\nHi", { thinking: "a b", text: "Hi", space: space("\n", "\n", "\n\n") }],
  [
    "<think>a</think>Hi </think> <think>",
    { thinking: "a", text: "Hi </think> <think>", space: space("", "", "") },
  ],
  [" <think>\n\n</think>\n\nHi", { thinking: "", text: "Hi", space: space("\n\n", "", "\n\n", " ") }],
  ["<think>a < b </th c", { thinking: "a < b </th c", text: "", space: undefined }],
  ["<think>a</think>", { thinking: "a", text: "", space: space("", "", "") }],
  ["Hi <think>a</think>", { thinking: "", text: "Hi <think>a</think>", space: undefined }],
  ["<thinker>", { thinking: "", text: "<thinker>", space: undefined }],
  ["<thi", { thinking: "", text: "<thi", space: undefined }],
  ["  \n", { thinking: "", text: "  \n", space: undefined }],
])("%j", (text, expected) => {
  test("whole, and cut anywhere", () => {
    expect(read([text])).toEqual(expected);
    expect(read([...text])).toEqual(expected);
    for (let at = 1; at < text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(expected);
  });
});

test("much white space is not buffered", () => {
  const shown: string[] = [];
  const tags = new ThinkTags({
    addText: () => undefined,
    addThinking: (delta) => shown.push(delta),
    endThinking: () => undefined,
  });
  tags.push("<think>a");
  for (let count = 0; count < 100; count++) tags.push("\n");
  expect(shown.join("").length).toBeGreaterThan(60);
});
