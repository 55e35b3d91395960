import { expect, test } from "vitest";
import { oneByOne, outgoing } from "./outgoing.js";

test("a text, with the same without marks for when they are refused", () => {
  expect(outgoing({ text: "**Hi** <you>", replyToId: "123" })).toEqual([
    {
      native: {
        text: "<b>Hi</b> &lt;you&gt;",
        parse_mode: "HTML",
        reply_to_message_id: 123,
        disable_web_page_preview: true,
      },
      plain: { text: "Hi <you>", reply_to_message_id: 123, disable_web_page_preview: true },
    },
  ]);
});

test("what replies to an edit replies to the message", () => {
  expect(outgoing({ text: "Hi", replyToId: "123+1005" })[0]?.native.reply_to_message_id).toBe(123);
});

test("only the first part replies, and each fits", () => {
  const parts = outgoing({ text: `${"a".repeat(3000)}\n\n${"😀".repeat(1500)}`, replyToId: "5" });
  expect(parts.map(({ native }) => [native.text.length, native.reply_to_message_id])).toEqual([
    [3000, 5],
    [3000, undefined],
  ]);
});

test.each(["", "abc", "-5", "1e3", "12345678901234567890", "5 "])(
  "%j is no message that can be replied to",
  (replyToId) => {
    expect(outgoing({ text: "Hi", replyToId })[0]?.native).toEqual({
      text: "Hi",
      parse_mode: "HTML",
      disable_web_page_preview: true,
    });
  },
);

test("a short text is the caption of the first of the files, which go together", () => {
  expect(
    outgoing({ text: "Two **cats**", mediaUrl: "a.png", mediaUrls: ["a.png", "b.png"], replyToId: "9" }),
  ).toEqual([
    {
      native: { text: "Two <b>cats</b>", parse_mode: "HTML", reply_to_message_id: 9 },
      plain: { text: "Two cats", reply_to_message_id: 9 },
      mediaUrls: ["a.png", "b.png"],
    },
  ]);
});

test("files that Telegram does not show together are requests of their own, ten at most in each", () => {
  const photos = Array.from({ length: 11 }, (_, n) => `${n}.jpg`);
  const mediaUrls = ["a.pdf", ...photos, "b.gif", "c.csv", "d.mp4", "e.mp3", "f.ogg", "g.ogg"];
  const files = outgoing({ mediaUrls }).map((part) => part.mediaUrls ?? part.mediaUrl);
  expect(files).toEqual([
    ["a.pdf", "c.csv"],
    photos.slice(0, 10),
    ["10.jpg", "d.mp4"],
    "b.gif",
    "e.mp3",
    "f.ogg",
    "g.ogg",
  ]);
});

test("an album one by one has its text with the first file", () => {
  const album = {
    native: { text: "<b>a</b>", reply_to_message_id: 9 },
    plain: { text: "a" },
    mediaUrls: ["x", "y"],
  };
  expect(oneByOne(album)).toEqual([
    { native: { text: "<b>a</b>", reply_to_message_id: 9 }, plain: { text: "a" }, mediaUrl: "x" },
    { native: { text: "" }, mediaUrl: "y" },
  ]);
});

test("a text that is no caption goes before the files", () => {
  const parts = outgoing({ text: "x".repeat(1025), mediaUrls: ["a.png"], replyToId: "9" });
  expect(
    parts.map(({ native, mediaUrl }) => [native.text.length, native.reply_to_message_id, mediaUrl]),
  ).toEqual([
    [1025, 9, undefined],
    [0, undefined, "a.png"],
  ]);
});

test("a file alone", () => {
  expect(outgoing({ mediaUrl: "a.png", replyToId: "9" })).toEqual([
    { native: { text: "", reply_to_message_id: 9 }, mediaUrl: "a.png" },
  ]);
});

test("without marks it fits too, with the addresses that marks hide", () => {
  const text = Array.from(
    { length: 40 },
    (_, n) => `[${"w".repeat(40)}](https://example.com/${n}${"/".repeat(200)})`,
  );
  const parts = outgoing({ text: text.join(" ") });
  expect(parts.map(({ plain }) => Number(plain?.text.length) <= 4096)).toEqual([true, true, true]);
});
