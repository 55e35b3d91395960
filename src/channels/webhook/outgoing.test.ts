import { expect, test } from "vitest";
import { webhookMessage as normalise } from "../../../test/support/native-messages.js";
import { outgoing } from "./outgoing.js";

test("an answer is one request, as long as it may be", () => {
  const text = "x".repeat(100_000);
  expect(outgoing({ text, replyToId: "5" })).toEqual([{ native: { payload: { text, replyToId: "5" } } }]);
});

test("links go with the words, files of our own after them", () => {
  const urls = ["https://x.example/b.png", "file:a.png"];
  expect(outgoing({ text: "look", mediaUrl: "file:a.png", mediaUrls: urls })).toEqual([
    { native: { payload: { text: "look", mediaUrls: ["https://x.example/b.png"] } } },
    { native: { payload: {} }, mediaUrl: "file:a.png" },
  ]);
});

test("nothing is nothing", () => {
  expect([outgoing({}), outgoing({ text: " \n" })]).toEqual([[], []]);
});

const message = { From: "ann", To: "crm", ChatType: "direct", MessageId: "1", Text: "hi" };

test.each([
  {
    From: "123456789",
    To: "987654321",
    ChatType: "direct",
    Text: "Hello, bot!",
    MessageId: "123",
    Timestamp: 1234567890,
  },
  {
    From: "123456789",
    To: "987654321",
    ChatType: "channel",
    Text: "Hello everyone!",
    MessageId: "456",
    ReplyToId: "789",
    Timestamp: 1234567890,
    GuildId: "123456789",
    ChannelId: "987654321",
  },
])("the examples of the message formats are taken as they are: $Text", (example) => {
  const inbound = normalise(structuredClone(example));
  expect(inbound?.message).toEqual(example);
  expect([inbound?.sender, inbound?.id]).toEqual([{ id: "123456789" }, example.MessageId]);
});

test("a direct message", () => {
  expect(normalise({ ...message, SenderName: "Ann", Timestamp: 1_740_000_000, Custom: { a: 1 } })).toEqual({
    message: { ...message, SenderName: "Ann", Timestamp: 1_740_000_000, Custom: { a: 1 } },
    id: "1",
    place: { kind: "direct", chat: "ann" },
    sender: { id: "ann", name: "Ann" },
    attachments: [],
    addressed: true,
  });
});

test("a group is named by ChatId or ChannelId, and by To only where neither is given", () => {
  const group = { ...message, To: "bot", ChatType: "group" };
  expect(normalise({ ...group, ChatId: "-1001" })?.place.chat).toBe("-1001");
  expect(normalise({ ...group, ChannelId: "c1" })?.place.chat).toBe("c1");
  expect(normalise(group)?.place.chat).toBe("bot");
});

test("a message of a group, in a thread, with files", () => {
  const input = {
    ...message,
    To: "room",
    ChatType: "group",
    MessageThreadId: "t1",
    MediaUrl: "https://x.example/a.png",
    MediaType: "image",
    Attachments: [{ Url: "data:text/plain,hi", MimeType: "text/plain", Name: "a.txt" }],
  };
  expect(normalise(input)).toEqual({
    message: {
      From: "ann",
      To: "room",
      ChatType: "group",
      MessageId: "1",
      Text: "hi",
      MessageThreadId: "t1",
      MediaType: "image",
    },
    id: "1",
    place: { kind: "group", chat: "room", thread: "t1" },
    sender: { id: "ann" },
    attachments: [
      { kind: "image", handle: "https://x.example/a.png" },
      { kind: "document", handle: "data:text/plain,hi", mimeType: "text/plain", name: "a.txt" },
    ],
    addressed: false,
  });
  expect(normalise({ ...input, Addressed: true })?.addressed).toBe(true);
});

test.each([
  ["no sender", { From: undefined }],
  ["an empty sender", { From: "" }],
  ["a sender with a line break", { From: "ann\nowner" }],
  ["no id", { MessageId: undefined }],
  ["an unknown kind of chat", { ChatType: "dm" }],
  ["a file of this computer", { MediaUrl: "file:///etc/passwd" }],
  ["a link that is not encrypted", { Attachments: [{ Url: "http://x.example/a" }] }],
])("%s is no message", (_, changed) => {
  expect(normalise({ ...message, ...changed })).toBeUndefined();
});
