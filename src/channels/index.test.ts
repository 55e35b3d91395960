import { expect, test } from "vitest";
import {
  normaliseDiscord,
  normaliseTelegram,
  normaliseWebhook,
  normaliseWhatsApp,
  renderDiscord,
  renderTelegram,
  renderWebhook,
  renderWhatsApp,
} from "./index.js";

const telegram = {
  message_id: 123,
  from: { id: 123456789, first_name: "John" },
  chat: { id: 123456789, type: "private" },
  text: "Hello, bot!",
  date: 1234567890,
};

const whatsapp = {
  key: { remoteJid: "1234567890@s.whatsapp.net", fromMe: false, id: "ABC123" },
  message: { conversation: "Hello!" },
  messageTimestamp: 1234567890,
};

const discord = {
  id: "456",
  channel_id: "987654321",
  guild_id: "123456789",
  type: 19,
  author: { id: "123456789", username: "john" },
  content: "Hello everyone!",
  timestamp: "2009-02-13T23:31:30.000000+00:00",
  message_reference: { message_id: "789" },
};

/** The format's own example of a Discord message. */
const channelMessage = {
  From: "123456789",
  To: "987654321",
  ChatType: "channel",
  Text: "Hello everyone!",
  MessageId: "456",
  ReplyToId: "789",
  Timestamp: 1234567890,
  GuildId: "123456789",
  ChannelId: "987654321",
};

test("the native examples become the OpenClaw messages of the format's own page", () => {
  const bot = { id: "987654321" };
  const direct = {
    From: "123456789",
    To: "987654321",
    ChatType: "direct",
    Text: "Hello, bot!",
    MessageId: "123",
    Timestamp: 1234567890,
  };
  expect(normaliseTelegram(telegram, bot)).toMatchObject({ message: direct });
  expect(normaliseTelegram({ update_id: 7, message: telegram }, bot)).toEqual(
    normaliseTelegram(telegram, bot),
  );
  expect(normaliseWhatsApp(whatsapp, { id: "15550000000@s.whatsapp.net" })).toMatchObject({
    message: {
      From: "1234567890@s.whatsapp.net",
      To: "15550000000@s.whatsapp.net",
      ChatType: "direct",
      Text: "Hello!",
      MessageId: "ABC123",
      Timestamp: 1234567890,
    },
  });
  const read = normaliseDiscord(discord, { id: "1" });
  expect("message" in read && read.message).toEqual(channelMessage);
  expect(normaliseWebhook(channelMessage)).toMatchObject({ message: channelMessage });
});

test.each([
  [
    "a bot's message",
    normaliseTelegram({ ...telegram, from: { id: 5, is_bot: true } }, { id: "9" }),
    "it was not written by a person",
  ],
  [
    "no update",
    normaliseTelegram({}, { id: "9" }),
    'it is not a Bot API update (/: expected a property "update_id")',
  ],
  [
    "an update without a message",
    normaliseTelegram({ update_id: 1 }, { id: "9" }),
    "the update contains no message",
  ],
  [
    "a service message",
    normaliseDiscord({ ...discord, type: 7 }, { id: "1" }),
    "it is a service message (type 7)",
  ],
  [
    "our own message",
    normaliseWhatsApp({ ...whatsapp, key: { ...whatsapp.key, fromMe: true } }, { id: "1" }),
    "it was sent by the account itself",
  ],
  [
    "a post without its sender",
    normaliseWebhook({ ...channelMessage, From: 7 }),
    "it is not a webhook channel message (/From: expected string)",
  ],
])("%s is none, for a reason", (_, read, why) => {
  expect(read).toEqual({ why });
});

test("an answer becomes the requests of each platform", () => {
  const place = { kind: "channel", chat: "987654321" } as const;
  expect(renderTelegram({ text: "**Hi**", replyToId: "123" })).toEqual([
    {
      native: {
        text: "<b>Hi</b>",
        parse_mode: "HTML",
        disable_web_page_preview: true,
        reply_to_message_id: 123,
      },
      plain: { text: "Hi", disable_web_page_preview: true, reply_to_message_id: 123 },
    },
  ]);
  expect(renderDiscord({ text: "**Hi**", replyToId: "456" }, place)).toEqual([
    { native: { content: "**Hi**", message_reference: { message_id: "456", channel_id: "987654321" } } },
  ]);
  expect(
    renderWhatsApp({ text: "**Hi**", replyToId: "ABC" }, { kind: "direct", chat: "1@s.whatsapp.net" }),
  ).toEqual([{ native: { text: "*Hi*", quoted: { key: { remoteJid: "1@s.whatsapp.net", id: "ABC" } } } }]);
  expect(renderWebhook({ text: "**Hi**" })).toEqual([{ native: { payload: { text: "**Hi**" } } }]);
});
