import { expect, test } from "vitest";
import { outgoing } from "./outgoing.js";

const place = { kind: "direct", chat: "1234567890@s.whatsapp.net" } as const;

test("the example of the message formats: a text that quotes", () => {
  expect(outgoing({ text: "**Hello!**", replyToId: "ABC123" }, place)).toEqual([
    {
      native: {
        text: "*Hello!*",
        quoted: { key: { remoteJid: "1234567890@s.whatsapp.net", id: "ABC123" } },
      },
    },
  ]);
});

test("nothing to say", () => {
  expect([outgoing({}, place), outgoing({ text: " \n" }, place)]).toEqual([[], []]);
});

test("a long text goes in parts, of which the first quotes", () => {
  const text = Array.from({ length: 3 }, () => "word ".repeat(500).trim()).join("\n\n");
  const parts = outgoing({ text, replyToId: "A" }, place);
  expect(parts.map(({ native }) => [native.text.length, native.quoted?.key.id])).toEqual([
    [2499, "A"],
    [2499, undefined],
    [2499, undefined],
  ]);
});

test("a file with words, and one without", () => {
  expect(outgoing({ text: "A cat", mediaUrls: ["media:cat.png", "media:dog.png"] }, place)).toEqual([
    { native: { text: "A cat" }, mediaUrl: "media:cat.png" },
    { native: { text: "" }, mediaUrl: "media:dog.png" },
  ]);
});

test("words that do not fit under a file go before it", () => {
  const text = "word ".repeat(300).trim();
  expect(outgoing({ text, mediaUrl: "media:cat.png" }, place)).toEqual([
    { native: { text } },
    { native: { text: "" }, mediaUrl: "media:cat.png" },
  ]);
});
