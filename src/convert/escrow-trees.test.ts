import { expect, test } from "vitest";
import { convert } from "./convert.js";

/** There and back with escrow. */
async function returned(lines: object[], from: "claude-code" | "qwen-code", to: "open-webui" | "google") {
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const same = await convert(input, { from, to: from, escrow: input.includes("x-dragoman") });
  const there = await convert(same.output, { from, to, escrow: true });
  const back = await convert(there.output, { from: to, to: from, escrow: true });
  expect(back.output).toBe(same.output);
  return JSON.parse(there.output);
}

test("a leaf that is the last message of the other format, but not of ours, is not named again", async () => {
  const [chat] = await returned(
    [
      { parentUuid: null, type: "user", message: { content: "x" }, uuid: "a" },
      { parentUuid: "gone", type: "m", uuid: "b" },
    ],
    "claude-code",
    "open-webui",
  );
  expect(chat.chat.history.currentId).toBe("a");
});

test("a leaf that does not exist is not named", async () => {
  const [chat] = await returned(
    [
      { parentUuid: "gone", type: "m", uuid: "b" },
      { type: "last-prompt", leafUuid: "0" },
    ],
    "claude-code",
    "open-webui",
  );
  expect(chat.chat.history.currentId).toBe(null);
});

test("a leaf that the other format has no message for travels in escrow", async () => {
  const [chat] = await returned(
    [
      { uuid: "0", parentUuid: null, type: "m" },
      { uuid: "4", parentUuid: "", type: "m", subtype: "session_artifact_snapshot" },
    ],
    "qwen-code",
    "open-webui",
  );
  expect(chat["x-dragoman"].messages.at(-1)).toEqual({
    whole: {
      role: "custom",
      customType: "dragoman/leaf",
      data: {},
      timestamp: 0,
      id: "leaf-0",
      parentId: "0",
    },
  });
});

test("messages keep their order if their ids are numbers, which an object sorts", async () => {
  const [chat] = await returned(
    [
      { uuid: "4", parentUuid: null, type: "user", message: { parts: [{ text: "first" }] } },
      { uuid: "3", parentUuid: null, type: "user", message: { parts: [{ text: "second" }] } },
    ],
    "qwen-code",
    "open-webui",
  );
  expect(Object.keys(chat.chat.history.messages)).toEqual(["3", "4"]);
  expect(chat.chat.history["x-dragoman-order"]).toEqual(["4", "3"]);
});

test("an id is derived from a message, whatever the order of its fields", async () => {
  const set = { "/": "", "/ext": {} };
  await returned(
    [
      {
        parentUuid: null,
        type: "user",
        message: { content: "x" },
        timestamp: "2026-03-02T09:00:01.000Z",
        "x-dragoman": { in: "claude-code", span: 1, of: ["session", "user"], messages: [{ from: 1, set }] },
      },
    ],
    "claude-code",
    "google",
  );
});
