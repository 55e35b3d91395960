import { expect, test } from "vitest";
import { outgoing } from "./outgoing.js";

const channel = { kind: "channel", chat: "987654321" } as const;

test("a reply, as the message formats have it", () => {
  expect(outgoing({ text: "Hi **there**", replyToId: "456" }, channel)).toEqual([
    {
      native: {
        content: "Hi **there**",
        message_reference: { message_id: "456", channel_id: "987654321" },
      },
    },
  ]);
});

test("an answer to an edit, whose id has the time of the edit, names the message", () => {
  const [first] = outgoing({ text: "Hi", replyToId: "456+2026-01-01T00:01:00+00:00" }, channel);
  expect(first?.native.message_reference).toEqual({ message_id: "456", channel_id: "987654321" });
});

test("in a thread it is the thread that the message is in", () => {
  const [first] = outgoing({ text: "Hi", replyToId: "456" }, { ...channel, thread: "31" });
  expect(first?.native.message_reference).toEqual({ message_id: "456", channel_id: "31" });
});

test("what is too long goes in parts, of which the first replies", () => {
  const parts = outgoing({ text: `${"word ".repeat(500)}`, replyToId: "456" }, channel);
  expect(parts.map(({ native }) => native.content.length)).toEqual([1999, 499]);
  expect(parts.map(({ native }) => native.message_reference !== undefined)).toEqual([true, false]);
});

test("files go with the last words, each in a message of its own", () => {
  expect(outgoing({ text: "Two", mediaUrls: ["a.png", "b.png"] }, channel)).toEqual([
    { native: { content: "Two" }, mediaUrl: "a.png" },
    { native: { content: "" }, mediaUrl: "b.png" },
  ]);
});

test("nothing is no message", () => {
  expect(outgoing({ text: " \n" }, channel)).toEqual([]);
});
