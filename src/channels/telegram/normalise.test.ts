import { describe, expect, test } from "vitest";
import { telegramMessage as normalise } from "../../../test/support/native-messages.js";

const me = { id: 987654321, username: "Claw_Bot" };
const john = { id: 123456789, is_bot: false, first_name: "John" };
const direct = { id: 123456789, type: "private" };
const group = { id: -1001234567890, type: "supergroup", title: "Friends" };
const forum = { ...group, is_forum: true };

function said(fields: object, kind = "message") {
  return normalise(
    { update_id: 7, [kind]: { message_id: 123, from: john, chat: direct, date: 1234567890, ...fields } },
    me,
  );
}

describe("the examples of the message formats", () => {
  test("a direct message", () => {
    const update = {
      update_id: 1,
      message: {
        message_id: 123,
        from: { id: 123456789, first_name: "John" },
        chat: { id: 123456789, type: "private" },
        text: "Hello, bot!",
        date: 1234567890,
      },
    };
    expect(normalise(update, me)).toEqual({
      message: {
        From: "123456789",
        To: "987654321",
        ChatType: "direct",
        Text: "Hello, bot!",
        MessageId: "123",
        Timestamp: 1234567890,
      },
      id: "123",
      idScope: "987654321",
      place: { kind: "direct", chat: "123456789" },
      sender: { id: "123456789", name: "John" },
      attachments: [],
      addressed: true,
    });
  });
});

test("the files of a message that is answered are asked about too", () => {
  const earlier = { message_id: 9, photo: [{ file_id: "p", width: 1, height: 1 }], caption: "Us" };
  expect(said({ text: "who is this?", reply_to_message: earlier })).toMatchObject({
    message: { Text: "who is this?", ReplyToId: "9", ReplyToText: "Us" },
    attachments: [{ kind: "image", handle: "p" }],
  });
});

test("what is forwarded is somebody else's words, and no command", () => {
  const forward_origin = { type: "user", sender_user: { id: 5, first_name: "Eve" }, date: 1 };
  const forwarded = (fields: object) => {
    const message = said({ ...fields, forward_origin })?.message;
    return [message?.Text, message?.["PassedOn"]];
  };
  expect(forwarded({ text: "/new" })).toEqual([undefined, [{ Kind: "forwarded", Text: "/new" }]]);
  const voice = { file_id: "v" };
  expect(forwarded({ caption: "see", voice })).toEqual([undefined, [{ Kind: "forwarded", Text: "see" }]]);
  expect(forwarded({ voice })).toEqual([undefined, [{ Kind: "forwarded" }]]);
  expect(forwarded({ dice: { emoji: "🎲", value: 6 } })).toEqual([
    undefined,
    [{ Kind: "forwarded" }, { Kind: "dice", Text: "🎲 6" }],
  ]);
});

describe("places", () => {
  test("a group", () => {
    expect(said({ chat: group, text: "Hi" })).toEqual({
      message: {
        From: "123456789",
        To: "987654321",
        ChatType: "group",
        Text: "Hi",
        MessageId: "123",
        Timestamp: 1234567890,
        ChatId: "-1001234567890",
        ChatTitle: "Friends",
      },
      id: "123",
      place: { kind: "group", chat: "-1001234567890" },
      sender: { id: "123456789", name: "John" },
      attachments: [],
      addressed: false,
    });
  });

  test.each([
    ["a topic", { chat: forum, is_topic_message: true, message_thread_id: 42 }, "42"],
    ["the general topic", { chat: forum }, "1"],
    ["an answer in the general topic", { chat: forum, message_thread_id: 99 }, "1"],
    ["an answer in a group without topics", { chat: group, message_thread_id: 99 }, undefined],
    ["a topic of a direct chat", { is_topic_message: true, message_thread_id: 5 }, "5"],
  ])("%s", (_name, fields, thread) => {
    const inbound = said({ text: "Hi", ...fields });
    expect([inbound?.place.thread, inbound?.message["MessageThreadId"]]).toEqual([thread, thread]);
  });

  test("a channel's post is by the channel", () => {
    const channel = { id: -1009, type: "channel", title: "News" };
    const update = {
      update_id: 7,
      channel_post: { message_id: 5, chat: channel, sender_chat: channel, date: 1, text: "Extra!" },
    };
    expect(normalise(update, me)).toMatchObject({
      message: { From: "-1009", ChatType: "channel", Text: "Extra!" },
      place: { kind: "channel", chat: "-1009" },
      sender: { id: "-1009", name: "News" },
      addressed: false,
    });
  });

  test("a kind of chat nobody knows is no place", () => {
    expect(said({ chat: { id: 1, type: "constructor" }, text: "Hi" })).toBe(undefined);
  });
});

describe("senders", () => {
  test("the whole name", () => {
    expect(said({ from: { ...john, last_name: "Doe" }, text: "Hi" })?.sender).toEqual({
      id: "123456789",
      name: "John Doe",
    });
  });

  test("an anonymous administrator is the group", () => {
    const from = { id: 1087968824, is_bot: true, first_name: "Group", username: "GroupAnonymousBot" };
    expect(said({ chat: group, from, sender_chat: group, text: "Hi" })?.sender).toEqual({
      id: "-1001234567890",
      name: "Friends",
    });
  });

  test("somebody who speaks as a channel is the channel", () => {
    const from = { id: 136817688, is_bot: true, first_name: "Channel" };
    expect(
      said({ chat: group, from, sender_chat: { id: -1005, title: "Ann's" }, text: "Hi" })?.sender,
    ).toEqual({
      id: "-1005",
      name: "Ann's",
    });
  });

  test.each([
    ["the bot itself", { from: { id: 987654321, is_bot: true, first_name: "Claw" } }],
    ["the bot through somebody", { via_bot: { id: 987654321, is_bot: true, first_name: "Claw" } }],
    ["another bot", { from: { id: 5, is_bot: true, first_name: "Other" } }],
    ["a stand-in for nobody", { from: { id: 1087968824, is_bot: true, first_name: "Group" } }],
    ["nobody", { from: undefined }],
  ])("%s is nobody to answer", (_name, fields) => {
    expect(said({ text: "Hi", ...fields })).toBe(undefined);
  });
});

describe("being addressed in a group", () => {
  const mention = (offset: number, length: number) => [{ type: "mention", offset, length }];

  test.each([
    ["@claw_bot hi", mention(0, 9), true],
    // The emoji is two UTF-16 units long.
    ["😀 @Claw_Bot", mention(3, 9), true],
    ["@claw_bots hi", mention(0, 10), false],
    ["@claw_bot without an entity", [], false],
    ["/help@Claw_bot", [{ type: "bot_command", offset: 0, length: 14 }], true],
    ["/help@other_bot", [{ type: "bot_command", offset: 0, length: 15 }], false],
    ["/help", [{ type: "bot_command", offset: 0, length: 5 }], false],
    ["hey Claw", [{ type: "text_mention", offset: 4, length: 4, user: { id: 987654321 } }], true],
    ["hey John", [{ type: "text_mention", offset: 4, length: 4, user: { id: 123456789 } }], false],
    ["@claw_bot", [{ type: "url", offset: 0, length: 9 }], false],
    ["out of range", [{ type: "mention", offset: -5, length: 900 }], false],
  ])("%s", (text, entities, addressed) => {
    expect(said({ chat: group, text, entities })?.addressed).toBe(addressed);
    expect(
      said({ chat: group, caption: text, caption_entities: entities, voice: { file_id: "v" } }),
    ).toMatchObject({ addressed });
  });

  test("a reply to the bot", () => {
    const reply_to_message = { message_id: 9, from: { id: 987654321 }, text: "I said so" };
    const inbound = said({ chat: group, text: "Really?", reply_to_message, quote: { text: "so" } });
    expect(inbound?.addressed).toBe(true);
    expect(inbound?.message).toMatchObject({ ReplyToId: "9", ReplyToText: "I said so", QuoteText: "so" });
  });

  test("a reply to somebody else", () => {
    const reply_to_message = { message_id: 9, from: john, caption: "A cat" };
    const inbound = said({ chat: group, text: "Nice", reply_to_message });
    expect(inbound?.addressed).toBe(false);
    expect(inbound?.message).toMatchObject({ ReplyToId: "9", ReplyToText: "A cat" });
  });

  test("what is said in a topic that the bot made answers nothing", () => {
    const reply_to_message = {
      message_id: 42,
      from: { id: 987654321 },
      forum_topic_created: { name: "Plans" },
    };
    const topic = { chat: forum, is_topic_message: true, message_thread_id: 42 };
    const inbound = said({ ...topic, text: "Hi", reply_to_message });
    expect([inbound?.addressed, inbound?.message.ReplyToId]).toEqual([false, undefined]);
  });
});

describe("files", () => {
  const photo = [
    { file_id: "small", file_unique_id: "s", width: 90, height: 60, file_size: 900 },
    { file_id: "large", file_unique_id: "l", width: 900, height: 600, file_size: 90000 },
    { file_id: "middle", file_unique_id: "m", width: 300, height: 200, file_size: 9000 },
  ];

  test.each<[string, object, object]>([
    ["photo", { photo }, { kind: "image", handle: "large", bytes: 90000 }],
    [
      "voice",
      { voice: { file_id: "v", mime_type: "audio/ogg", file_size: 5 } },
      { kind: "audio", handle: "v", mimeType: "audio/ogg", bytes: 5 },
    ],
    ["audio", { audio: { file_id: "a", file_name: "a.mp3" } }, { kind: "audio", handle: "a", name: "a.mp3" }],
    ["video", { video: { file_id: "w" } }, { kind: "video", handle: "w" }],
    ["video note", { video_note: { file_id: "n" } }, { kind: "video", handle: "n" }],
    [
      "animation",
      { animation: { file_id: "g", mime_type: "video/mp4" }, document: { file_id: "g" } },
      { kind: "video", handle: "g", mimeType: "video/mp4" },
    ],
    [
      "document",
      { document: { file_id: "d", file_name: "../x.pdf", mime_type: "application/pdf" } },
      { kind: "document", handle: "d", name: "../x.pdf", mimeType: "application/pdf" },
    ],
  ])("%s", (_name, fields, attachment) => {
    const inbound = said({ ...fields, caption: "Look" });
    expect(inbound?.attachments).toEqual([attachment]);
    expect(inbound?.message.Text).toBe("Look");
    expect(inbound?.message.MediaType).toBe(inbound?.attachments[0]?.kind);
  });

  test.each([
    [{ emoji: "🦀" }, "image", { Kind: "sticker", Text: "🦀" }],
    [{ is_video: true }, "video", { Kind: "sticker" }],
    [{ is_animated: true }, "document", { Kind: "sticker" }],
  ])("sticker %j", (fields, kind, shown) => {
    const inbound = said({ sticker: { file_id: "s", ...fields } });
    expect([inbound?.attachments[0]?.kind, inbound?.message["PassedOn"]]).toEqual([kind, [shown]]);
  });

  test("an album is told by its number", () => {
    expect(said({ photo, media_group_id: "13" })?.album).toBe("13");
  });
});

test.each([
  [{ location: { latitude: 52.5, longitude: 13.4 } }, { Kind: "location", Text: "52.5, 13.4" }],
  [
    {
      venue: { title: "Zoo", address: "Hardenbergplatz 8", location: { latitude: 52.5, longitude: 13.3 } },
      location: { latitude: 52.5, longitude: 13.3 },
    },
    { Kind: "venue", Text: "Zoo, Hardenbergplatz 8, at 52.5, 13.3" },
  ],
  [{ contact: { first_name: "Ann", phone_number: "+491" } }, { Kind: "contact", Text: "Ann +491" }],
  [
    { poll: { question: "Tea?", options: [{ text: "yes" }, { text: "no" }] } },
    { Kind: "poll", Text: "Tea? yes / no" },
  ],
  [{ dice: { emoji: "🎲", value: 6 } }, { Kind: "dice", Text: "🎲 6" }],
  [{ story: { id: 1 } }, { Kind: "story" }],
])("what has no words is shown, and is not the sender's text: %j", (fields, shown) => {
  const message = said(fields)?.message;
  expect([message?.Text, message?.["PassedOn"]]).toEqual([undefined, [shown]]);
});

describe("edits", () => {
  test("have an id of their own, and name what they replace", () => {
    const inbound = said({ text: "Hallo", edit_date: 1234567899 }, "edited_message");
    expect([inbound?.id, inbound?.edits, inbound?.message.MessageId]).toEqual(["123+7", "123", "123"]);
  });

  test("a place that moves is no edit", () => {
    expect(said({ location: { latitude: 1, longitude: 2 } }, "edited_message")).toBe(undefined);
  });
});

test.each([
  [{ new_chat_members: [john] }],
  [{ left_chat_member: john }],
  [{ pinned_message: { message_id: 1 } }],
  [{ forum_topic_created: { name: "x", icon_color: 1 } }],
  [{ new_chat_title: "x" }],
])("the service's own message says nothing: %j", (fields) => {
  expect(said(fields)).toBe(undefined);
});

test.each([[undefined], [null], [7], ["x"], [[]], [{}], [{ update_id: 1 }], [{ update_id: 1, message: {} }]])(
  "%j is no message",
  (update) => {
    expect(normalise(update, me)).toBe(undefined);
  },
);

test("spoilers are marked as Markdown marks them, also in what is replied to", () => {
  const hidden = [{ type: "spoiler", offset: 2, length: 1 }];
  const earlier = { message_id: 5, text: "x y", entities: hidden };
  const quote = { text: "x y", entities: hidden };
  expect(said({ text: "a b", entities: hidden, reply_to_message: earlier, quote })?.message).toMatchObject({
    Text: "a ||b||",
    ReplyToText: "x ||y||",
    QuoteText: "x ||y||",
  });
});
