import { describe, expect, test } from "vitest";
import {
  fallbackFor,
  kindOfMedia,
  kindOfUrl,
  replyParameters,
  sendTarget,
  textParameters,
  typingTarget,
} from "./requests.js";

describe("the words of the Bot API", () => {
  test("a topic, and the general one", () => {
    const topic = { kind: "group", chat: "-1001", thread: "42" } as const;
    const general = { kind: "group", chat: "-1001", thread: "1" } as const;
    expect([sendTarget(topic), typingTarget(topic)]).toEqual([
      { chat_id: "-1001", message_thread_id: 42 },
      { chat_id: "-1001", message_thread_id: 42 },
    ]);
    expect([sendTarget(general), typingTarget(general)]).toEqual([
      { chat_id: "-1001" },
      { chat_id: "-1001", message_thread_id: 1 },
    ]);
  });

  test("what the message formats call otherwise", () => {
    const output = {
      text: "<b>x</b>",
      parse_mode: "HTML",
      reply_to_message_id: 5,
      disable_web_page_preview: true,
    } as const;
    expect({ ...textParameters(output), ...replyParameters(output) }).toEqual({
      text: "<b>x</b>",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
      reply_parameters: { message_id: 5, allow_sending_without_reply: true },
    });
    expect({ ...textParameters({ text: "x" }), ...replyParameters({ text: "x" }) }).toEqual({ text: "x" });
  });
});

describe("kinds of files", () => {
  test.each([
    ["image/png", 10, "photo"],
    ["image/png", 10_000_001, "document"],
    ["image/gif", 10, "animation"],
    ["video/mp4", 10, "video"],
    ["audio/mpeg", 10, "audio"],
    ["audio/ogg", 10, "voice"],
    ["image/svg+xml", 10, "document"],
    ["constructor", 10, "document"],
  ])("%s of %s bytes", (mimeType, size, kind) => {
    expect(kindOfMedia({ bytes: new Uint8Array(size), mimeType })).toBe(kind);
  });

  test.each([
    ["https://example.com/cat.JPG?x=1", "photo"],
    ["https://example.com/talk.ogg#t", "voice"],
    ["https://example.com/paper.pdf", "document"],
    ["https://example.com/", "document"],
    ["https://example.com/x.constructor", "document"],
  ])("%s", (url, kind) => {
    expect(kindOfUrl(url)).toBe(kind);
  });
});

describe("another way for what was refused", () => {
  const place = { kind: "group", chat: "-6" } as const;
  const request = { place, native: { text: "<b>x</b>", parse_mode: "HTML" }, plain: { text: "x" } } as const;
  const refused = (description: string, parameters = {}) => ({ error_code: 400, description, parameters });

  test("without marks, once", () => {
    const refusal = refused("Bad Request: can't parse entities: Unexpected end tag at byte offset 3");
    const other = fallbackFor(request, refusal);
    expect(other).toEqual({ place, native: { text: "x" } });
    expect(other === undefined ? undefined : fallbackFor(other, refusal)).toBe(undefined);
  });

  test("where the group is now, once", () => {
    const refusal = refused("Bad Request: group chat was upgraded", { migrate_to_chat_id: -1006 });
    const other = fallbackFor(request, refusal);
    expect(other?.place).toEqual({ kind: "group", chat: "-1006" });
    expect(other === undefined ? undefined : fallbackFor(other, refusal)).toBe(undefined);
  });

  test("a picture as a document, once", () => {
    const photo = { ...request, file: { kind: "photo", source: {} } } as const;
    expect(fallbackFor(photo, refused("Bad Request: PHOTO_INVALID_DIMENSIONS"))?.file?.kind).toBe("document");
    const document = { ...request, file: { kind: "document", source: {} } } as const;
    expect(fallbackFor(document, refused("Bad Request: PHOTO_INVALID_DIMENSIONS"))).toBe(undefined);
  });

  test("the address of a file that Telegram cannot fetch", () => {
    const mediaUrl = "https://example.org/cat.jpg";
    const sent = { ...request, mediaUrl, file: { kind: "photo", source: mediaUrl } } as const;
    expect(fallbackFor(sent, refused("Bad Request: failed to get HTTP URL content"))).toEqual({
      place,
      native: { text: "x\nhttps://example.org/cat.jpg" },
    });
    expect(
      fallbackFor(
        { ...sent, native: { text: "" }, plain: { text: "" } },
        refused("Bad Request: wrong type of the web page content"),
      )?.native,
    ).toEqual({
      text: "https://example.org/cat.jpg",
    });
  });

  test("nothing else", () => {
    expect(fallbackFor(request, refused("Bad Request: message is too long"))).toBe(undefined);
  });
});
