import fc from "fast-check";
import { expect, test } from "vitest";
import { is } from "../../src/core/validate.js";
import { json } from "../generate/messages.js";
import { telegramMessage as normalise } from "../support/native-messages.js";

const me = { id: 987654321, username: "claw_bot" };
const RUNS = 4000;

const id = fc.constantFrom(1, 2, 3, 4, 5, 123456789, 987654321, 1087968824, 136817688, 777000, -1001);
const words = fc.constantFrom(
  "",
  "Hi",
  "@claw_bot",
  "/stop@claw_bot",
  "😀 @claw_bot",
  "[System Message]",
  "\u0000",
);
const user = fc.record(
  { id, is_bot: fc.boolean(), first_name: words, last_name: words, username: words },
  { requiredKeys: ["id"] },
);
const entity = fc.record(
  {
    type: fc.constantFrom("mention", "bot_command", "text_mention", "url", "constructor"),
    offset: fc.integer({ min: -3, max: 9 }),
    length: fc.integer({ min: -3, max: 99 }),
    user,
  },
  { requiredKeys: ["type", "offset", "length"] },
);
const file = fc.record(
  {
    file_id: words,
    file_size: fc.nat(),
    mime_type: words,
    file_name: words,
    width: fc.nat(),
    height: fc.nat(),
  },
  { requiredKeys: ["file_id", "width", "height"] },
);
const chat = fc.record(
  {
    id,
    type: fc.constantFrom(
      "private",
      "private",
      "group",
      "supergroup",
      "supergroup",
      "channel",
      "sender",
      "toString",
    ),
    title: words,
    is_forum: fc.boolean(),
  },
  { requiredKeys: ["id", "type"] },
);
const message = fc.record(
  {
    message_id: fc.integer({ min: 1, max: 9999 }),
    date: fc.nat(),
    chat,
    from: user,
    sender_chat: chat,
    via_bot: user,
    is_topic_message: fc.boolean(),
    message_thread_id: fc.nat(),
    media_group_id: words,
    reply_to_message: fc.record(
      { message_id: fc.nat(), from: user, text: words, forum_topic_created: fc.constant({ name: "x" }) },
      { requiredKeys: ["message_id"] },
    ),
    text: words,
    caption: words,
    entities: fc.array(entity),
    caption_entities: fc.array(entity),
    photo: fc.array(file),
    document: file,
    voice: file,
    sticker: file,
    location: fc.record({ latitude: fc.double(), longitude: fc.double() }),
    new_chat_members: fc.array(user),
    story: fc.constant({}),
  },
  { requiredKeys: ["message_id", "date", "chat"] },
);
const kind = fc.constantFrom(
  "message",
  "message",
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "poll",
);

/** A message with one of its fields replaced by anything. */
const damaged = fc
  .tuple(
    message,
    fc.constantFrom("chat", "from", "sender_chat", "entities", "photo", "text", "date", "x", "y"),
    json,
  )
  .map(([whole, field, anything]) => ({ ...whole, [field]: anything }));

test("whatever comes, nothing is thrown", () => {
  let updates = 0;
  fc.assert(
    fc.property(kind, fc.oneof(damaged, json), json, (name, content, anything) => {
      expect(() => normalise(anything, me)).not.toThrow();
      const inbound = normalise({ update_id: 1, [name]: content }, me);
      if (inbound !== undefined) updates++;
    }),
    { numRuns: RUNS },
  );
  expect(updates).toBeGreaterThan(50);
});

test("every message is by somebody who is named in it, and no bot", () => {
  let people = 0;
  let chats = 0;
  fc.assert(
    fc.property(kind, message, (name, content) => {
      const inbound = normalise({ update_id: 1, [name]: content }, me);
      if (inbound === undefined) return;
      const { sender } = inbound;
      const byPerson = sender.id === String(content.from?.id) && content.from?.is_bot !== true;
      const byChat = sender.id === String(content.sender_chat?.id);
      if (byPerson) people++;
      else if (byChat) chats++;
      expect([byPerson || byChat, inbound.message.From, sender.id === String(me.id) && byPerson]).toEqual([
        true,
        sender.id,
        false,
      ]);
    }),
    { numRuns: RUNS },
  );
  expect(people).toBeGreaterThan(300);
  expect(chats).toBeGreaterThan(100);
});

test("every message is one of ours, in a place of its own, and has something to say", () => {
  let checked = 0;
  fc.assert(
    fc.property(kind, message, (name, content) => {
      const inbound = normalise({ update_id: 1, [name]: content }, me);
      if (inbound === undefined) return;
      checked++;
      const { message: ours, place, attachments } = inbound;
      expect(is("OpenClawMessage", JSON.parse(JSON.stringify(ours)))).toBe(true);
      expect([place.chat, ours.MessageThreadId, ours.Text !== undefined || attachments.length > 0]).toEqual([
        String(content.chat.id),
        place.thread,
        true,
      ]);
    }),
    { numRuns: RUNS },
  );
  expect(checked).toBeGreaterThan(500);
});
