import { describe, expect, test } from "vitest";
import { check } from "./check.js";
import { chooseConversation, listConversations } from "./conversations.js";
import { convert } from "./convert.js";
import { load } from "./detect.js";

const conversation = (id: string, name: string, text: string) => ({
  uuid: id,
  name,
  created_at: "2026-01-05T10:00:00Z",
  chat_messages: [{ uuid: `${id}-m`, sender: "human", text, created_at: "2026-01-05T10:00:01Z" }],
});
const all = [
  conversation("a", "Tea", "one"),
  conversation("b", "3", "two"),
  conversation("c", "Tea", "three"),
];
const text = `[${all.map((one) => JSON.stringify(one)).join(",\n ")}]`;

async function* bytes() {
  yield new TextEncoder().encode(text);
}

test("conversations are listed with their places", async () => {
  const list = await listConversations(bytes(), await load("claude-ai"));
  const created = Date.UTC(2026, 0, 5, 10);
  expect(list.map(({ offset: _, length: __, ...one }) => one)).toEqual([
    { number: 1, index: 0, line: 1, column: 2, id: "a", title: "Tea", created, messages: 1 },
    { number: 2, index: 1, line: 2, column: 2, id: "b", title: "3", created, messages: 1 },
    { number: 3, index: 2, line: 3, column: 2, id: "c", title: "Tea", created, messages: 1 },
  ]);
});

describe("a conversation is chosen", () => {
  test.each([
    ["by its id", "c", "three"],
    ["by its title, before its number", "3", "two"],
    ["by its number", "1", "one"],
  ])("%s", async (_, wanted, expected) => {
    const { output } = await convert(text, { to: "openclaw", conversation: wanted });
    expect(output).toContain(expected);
    expect(output.split("\n")).toHaveLength(3);
  });

  test.each([
    ["an unknown one", "x", "pass a number from 1 to 3"],
    ["a title that two have", "Tea", "pass one of their numbers: 1, 3"],
  ])("not %s", async (_, wanted, hint) => {
    await expect(convert(text, { to: "openclaw", conversation: wanted })).rejects.toMatchObject({
      code: "convert/no-conversation",
      hint,
    });
  });

  test("ignoring case if nothing else matches", async () => {
    const list = await listConversations(bytes(), await load("claude-ai"));
    expect(chooseConversation(list.slice(0, 2), "tea").number).toBe(1);
  });
});

test("without a choice, a file with several is refused", async () => {
  await expect(convert(text, { to: "openclaw" })).rejects.toMatchObject({
    code: "convert/many-conversations",
    message: "the file holds 3 conversations",
  });
});

test("a dialect with one conversation in each file has none to choose", async () => {
  await expect(convert("{}\n", { from: "pi", to: "openclaw", conversation: "1" })).rejects.toMatchObject({
    code: "convert/no-conversation",
  });
});

test("places are those of the whole file", async () => {
  const bad = text.replace('"human","text":"two"', '"robot","text":"two"');
  await expect(convert(bad, { from: "claude-ai", to: "openclaw", conversation: "b" })).rejects.toMatchObject({
    at: "/1/chat_messages/0/sender",
    line: 2,
    column: 101,
  });
});

test("the losses of a chosen conversation have its pointer", async () => {
  const { losses } = await convert(text, { to: "cline", conversation: "b" });
  expect(losses.length).toBeGreaterThan(0);
  expect(losses.filter(({ at }) => !at.startsWith("/1"))).toEqual([]);
});

test("check reports a file with several as one problem", async () => {
  const { problems } = await check(text, { from: "claude-ai" });
  expect(problems.map(({ code }) => code)).toEqual(["convert/many-conversations"]);
});

describe("a dialect that is only read", () => {
  test("is no target", async () => {
    const plain = '{"role":"user","content":"hello","timestamp":1740000000000}\n';
    await expect(convert(plain, { to: "chatgpt" })).rejects.toMatchObject({
      code: "convert/one-way",
      message: "chatgpt is only read, not written",
    });
  });

  test("is written in itself: one conversation is cut out", async () => {
    const { output } = await convert(text, { to: "claude-ai", conversation: "b" });
    expect(JSON.parse(output)).toEqual(all[1]);
  });
});
