import { describe, expect, test } from "vitest";
import { whatsappMessage as normalise } from "../../../test/support/native-messages.js";

const me = { id: "15550000000:7@s.whatsapp.net", lid: "999000111:7@lid" };
const JOHN = "1234567890@s.whatsapp.net";
const GROUP = "120363000000000001@g.us";
const example = {
  key: { remoteJid: JOHN, fromMe: false, id: "ABC123" },
  message: { conversation: "Hello!" },
  messageTimestamp: 1234567890,
};

function said(message: object | null, key: object = {}, fields: object = {}) {
  return normalise({ ...example, message, key: { ...example.key, ...key }, ...fields }, me);
}

function inGroup(message: object, key: object = {}) {
  return said(message, { remoteJid: GROUP, participant: JOHN, ...key });
}

test("the example of the message formats", () => {
  expect(normalise(example, me)).toEqual({
    message: {
      From: "1234567890@s.whatsapp.net",
      To: "15550000000@s.whatsapp.net",
      ChatType: "direct",
      Text: "Hello!",
      MessageId: "ABC123",
      Timestamp: 1234567890,
    },
    id: "ABC123",
    place: { kind: "direct", chat: "1234567890@s.whatsapp.net" },
    sender: { id: "1234567890@s.whatsapp.net" },
    attachments: [],
    addressed: true,
  });
});

test("a group, and who speaks in it", () => {
  const inbound = normalise(
    {
      key: { remoteJid: GROUP, participant: "1234567890:3@s.whatsapp.net", id: "G1", fromMe: false },
      message: { extendedTextMessage: { text: "Hi all" } },
      messageTimestamp: "1234567890",
      pushName: "John",
    },
    me,
  );
  expect(inbound).toEqual({
    message: {
      From: JOHN,
      To: "15550000000@s.whatsapp.net",
      ChatType: "group",
      Text: "Hi all",
      MessageId: "G1",
      Timestamp: 1234567890,
      ChatId: GROUP,
    },
    id: "G1",
    place: { kind: "group", chat: GROUP },
    sender: { id: JOHN, name: "John" },
    attachments: [],
    addressed: false,
  });
});

describe("one person, one id", () => {
  const words = { conversation: "Hi" };
  test.each([
    ["the phone number", said(words, { remoteJid: JOHN, remoteJidAlt: "77@lid" }), JOHN],
    [
      "the phone number where it comes second",
      said(words, { remoteJid: "77@lid", remoteJidAlt: JOHN }),
      JOHN,
    ],
    ["the other id where there is no number", said(words, { remoteJid: "77:2@lid" }), "77@lid"],
    ["no device", said(words, { remoteJid: "1234567890:12@s.whatsapp.net" }), JOHN],
    ["a company's", said(words, { remoteJid: "1234567890:99@hosted" }), JOHN],
    ["the older spelling", said(words, { remoteJid: "1234567890@c.us" }), JOHN],
    ["in a group", inGroup(words, { participant: "77:2@lid", participantAlt: JOHN }), JOHN],
    ["in a group, without a number", inGroup(words, { participant: "77:2@lid" }), "77@lid"],
    ["null is nothing", said(words, { remoteJidAlt: null, participant: null }), JOHN],
  ])("%s", (_, inbound, id) => {
    expect([inbound?.sender.id, inbound?.message.From]).toEqual([id, id]);
  });
});

describe("when it was said", () => {
  test.each([
    [1234567890, 1234567890],
    ["1234567890", 1234567890],
    [{ low: 1234567890, high: 0, unsigned: true }, 1234567890],
    [{ low: -1, high: 1, unsigned: true }, 8589934591],
    ["soon", undefined],
    [undefined, undefined],
  ])("%j", (messageTimestamp, seconds) => {
    expect(said({ conversation: "Hi" }, {}, { messageTimestamp })?.message.Timestamp).toBe(seconds);
  });
});

describe("what is in envelopes", () => {
  const inner = { conversation: "inside" };
  test.each([
    ["vanishes", { ephemeralMessage: { message: inner } }],
    ["is seen once", { viewOnceMessage: { message: inner } }],
    ["is seen once, too", { viewOnceMessageV2: { message: inner } }],
    ["was written on another device", { deviceSentMessage: { destinationJid: JOHN, message: inner } }],
    ["is in two", { ephemeralMessage: { message: { viewOnceMessage: { message: inner } } } }],
  ])("%s", (_, message) => {
    expect(said(message)?.message.Text).toBe("inside");
  });

  test("envelopes without end are nothing", () => {
    const endless: Record<string, unknown> = {};
    endless["ephemeralMessage"] = { message: endless };
    expect(said(endless)).toBeUndefined();
  });
});

describe("files", () => {
  const where = { url: "https://mmg.whatsapp.net/x", directPath: "/x", mediaKey: "a2V5" };
  const handle = '{"url":"https://mmg.whatsapp.net/x","directPath":"/x","mediaKey":"a2V5"}';

  test.each([
    ["imageMessage", "image", "Look"],
    ["videoMessage", "video", "Look"],
    ["ptvMessage", "video", undefined],
    ["audioMessage", "audio", undefined],
    ["stickerMessage", "image", undefined],
    ["documentMessage", "document", "Look"],
  ])("%s", (name, kind, caption) => {
    const file = { ...where, mimetype: "a/b", fileLength: "12", jpegThumbnail: "AAAA", caption };
    const inbound = said({ [name]: file });
    expect(inbound?.attachments).toEqual([{ kind, handle, mimeType: "a/b", bytes: 12 }]);
    expect([inbound?.message.MediaType, inbound?.message.Text]).toEqual([kind, caption]);
  });

  test("a document with words, and its name", () => {
    const documentMessage = { ...where, fileName: "plan.pdf", caption: "The plan" };
    const inbound = said({ documentWithCaptionMessage: { message: { documentMessage } } });
    expect(inbound?.attachments).toEqual([{ kind: "document", handle, name: "plan.pdf" }]);
    expect(inbound?.message.Text).toBe("The plan");
  });

  test("one of an album", () => {
    const inbound = said({ associatedChildMessage: { message: { imageMessage: where } } });
    expect(inbound?.attachments).toEqual([{ kind: "image", handle }]);
  });
});

test("an answer says what it answers", () => {
  const contextInfo = { stanzaId: "Q1", participant: JOHN, quotedMessage: { conversation: "Tea?" } };
  expect(inGroup({ extendedTextMessage: { text: "Yes", contextInfo } })).toMatchObject({
    message: { Text: "Yes", ReplyToId: "Q1", ReplyToText: "Tea?" },
    addressed: false,
  });
});

test("quotations in quotations, without end, are no trouble", () => {
  let message: object = { conversation: "the first" };
  for (let n = 0; n < 100_000; n++) {
    const contextInfo = { stanzaId: `Q${n}`, quotedMessage: message };
    message = { extendedTextMessage: { text: `answer ${n}`, contextInfo } };
  }
  expect(said(message)?.message).toMatchObject({ Text: "answer 99999", ReplyToText: "answer 99998" });
});

describe("who is meant in a group", () => {
  const asked = (contextInfo: object) => inGroup({ extendedTextMessage: { text: "@you", contextInfo } });
  test.each([
    ["the bot, by number", { mentionedJid: [JOHN, "15550000000@s.whatsapp.net"] }, true],
    ["the bot, by its other id", { mentionedJid: ["999000111@lid"] }, true],
    ["the bot, which is answered", { stanzaId: "Q1", participant: "15550000000@s.whatsapp.net" }, true],
    ["the bot, which is answered by its other id", { stanzaId: "Q1", participant: "999000111:7@lid" }, true],
    ["somebody else", { mentionedJid: [JOHN] }, false],
    ["somebody else who is answered", { stanzaId: "Q1", participant: JOHN }, false],
    ["nobody", {}, false],
  ])("%s", (_, contextInfo, addressed) => {
    expect(asked(contextInfo)?.addressed).toBe(addressed);
  });

  test("in a caption", () => {
    const imageMessage = { caption: "@you", contextInfo: { mentionedJid: ["999000111@lid"] } };
    expect(inGroup({ imageMessage })?.addressed).toBe(true);
  });
});

describe("edits", () => {
  const edit = (type: unknown) => ({
    protocolMessage: { type, key: { id: "ABC123" }, editedMessage: { conversation: "Hello there!" } },
  });
  test.each([
    ["by number", edit(14)],
    ["by name", edit("MESSAGE_EDIT")],
    ["in an envelope", { editedMessage: { message: edit(14) } }],
  ])("%s", (_, message) => {
    expect(said(message, { id: "E1" })).toMatchObject({
      message: { Text: "Hello there!", MessageId: "ABC123" },
      id: "E1",
      edits: "ABC123",
    });
  });

  const emptied = (editedMessage?: object) => ({
    protocolMessage: { type: 14, key: { id: "ABC123" }, ...(editedMessage && { editedMessage }) },
  });
  test.each([
    ["text", emptied({ conversation: "" })],
    [
      "formatted text",
      emptied({ extendedTextMessage: { text: "", contextInfo: {} }, messageContextInfo: {} }),
    ],
    ["everything", emptied()],
    ["the message, by number", { protocolMessage: { type: 0, key: { id: "ABC123" } } }],
    ["the message, by name", { protocolMessage: { type: "REVOKE", key: { id: "ABC123" } } }],
  ])("that delete %s withdraw it", (_, message) => {
    const inbound = said(message, { id: "E1" });
    expect(inbound).toMatchObject({ id: "E1", edits: "ABC123", attachments: [] });
    expect(inbound?.message).not.toHaveProperty("Text");
    expect(inbound?.message).not.toHaveProperty("PassedOn");
  });

  test("to something of an unknown kind are named, and withdraw nothing", () => {
    expect(said(emptied({ holographMessage: {} }))?.message["PassedOn"]).toEqual([
      { Kind: "edited message" },
    ]);
  });
});

describe("what has no words of its sender", () => {
  test.each([
    [
      { locationMessage: { degreesLatitude: 52.5, degreesLongitude: 13.4 } },
      { Kind: "location", Text: "52.5, 13.4" },
    ],
    [
      { locationMessage: { degreesLatitude: 1, degreesLongitude: 2, name: "Home" } },
      { Kind: "location", Text: "Home, 1, 2" },
    ],
    [{ contactMessage: { displayName: "Ann" } }, { Kind: "contact", Text: "Ann" }],
    [
      {
        contactMessage: {
          displayName: "Ann",
          vcard: "BEGIN:VCARD\nFN:TEL\nitem1.TEL;waid=49151:+49 151\nTEL:+49 30\nEND:VCARD",
        },
      },
      { Kind: "contact", Text: "Ann +49 151, +49 30" },
    ],
    [{ contactMessage: { displayName: "" } }, { Kind: "contact" }],
    [{ interactiveMessage: {} }, { Kind: "interactive message" }],
    [{ orderMessage: { itemCount: 2 } }, { Kind: "order" }],
    [{ pollCreationMessageV3: { name: "Tea?" } }, { Kind: "poll", Text: "Tea?" }],
    [
      { pollCreationMessageV5: { name: "Tea?", options: [{ optionName: "yes" }, { optionName: "no" }] } },
      { Kind: "poll", Text: "Tea? yes / no" },
    ],
    [
      { pollCreationMessageV4: { message: { pollCreationMessage: { name: "Tea?" } } } },
      { Kind: "poll", Text: "Tea?" },
    ],
    [
      { contactMessage: { displayName: "Ann", contextInfo: { isForwarded: true } } },
      { Kind: "contact", Text: "Ann" },
    ],
    [{ eventMessage: { name: "Tea" } }, { Kind: "event", Text: "Tea" }],
    [
      { extendedTextMessage: { text: "/new", contextInfo: { isForwarded: true } } },
      { Kind: "forwarded", Text: "/new" },
    ],
    [{ imageMessage: { contextInfo: { isForwarded: true } } }, { Kind: "forwarded" }],
  ])("%j", (message, shown) => {
    const ours = said(message)?.message;
    expect([ours?.Text, ours?.["PassedOn"]]).toEqual([undefined, [shown]]);
  });
});

test.each([
  { buttonsResponseMessage: { selectedDisplayText: "Yes, please" } },
  { templateButtonReplyMessage: { selectedDisplayText: "Yes, please" } },
  { listResponseMessage: { title: "Yes, please" } },
])("what the sender chose is their text: %j", (message) => {
  expect(said(message)?.message.Text).toBe("Yes, please");
});

test.each([
  { locationMessage: { degreesLatitude: 1, degreesLongitude: 2 } },
  { contactMessage: { displayName: "Ann" } },
  { pollCreationMessageV3: { name: "Tea?" } },
])("a reply to us can be %j", (message) => {
  const contextInfo = {
    stanzaId: "Q1",
    participant: "999000111@lid",
    quotedMessage: { conversation: "Where?" },
  };
  const reply = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, { ...value, contextInfo }]),
  );
  expect(inGroup(reply)).toMatchObject({
    addressed: true,
    message: { ReplyToId: "Q1", ReplyToText: "Where?" },
  });
});

describe("what nobody said to us", () => {
  const words = { conversation: "Hi" };
  test.each([
    ["our own words", said(words, { fromMe: true })],
    ["our own words, in a group", inGroup(words, { participant: "15550000000:3@s.whatsapp.net" })],
    ["our own words, by the other id", inGroup(words, { participant: "999000111@lid" })],
    ["a status", said(words, { remoteJid: "status@broadcast", participant: JOHN })],
    ["a broadcast", said(words, { remoteJid: "123@broadcast", participant: JOHN })],
    ["a newsletter", said(words, { remoteJid: "123@newsletter" })],
    ["a group without a speaker", said(words, { remoteJid: GROUP })],
    ["a group that speaks", inGroup(words, { participant: GROUP })],
    ["a reaction", said({ reactionMessage: { text: "👍", key: { id: "1" } } })],
    ["a setting", said({ protocolMessage: { type: 3, key: { id: "1" } } })],
    ["keys", said({ senderKeyDistributionMessage: { groupId: GROUP } })],
    ["a vote", said({ pollUpdateMessage: {} })],
    ["nothing", said(null)],
    ["no words", said({ conversation: "" })],
    ["no id", said(words, { id: undefined })],
    ["no chat", said(words, { remoteJid: "nobody" })],
  ])("%s", (_, inbound) => {
    expect(inbound).toBeUndefined();
  });
});

describe("albums", () => {
  const child = (associationType: unknown) => ({
    imageMessage: { url: "u", mediaKey: "k" },
    messageContextInfo: { messageAssociation: { associationType, parentMessageKey: { id: "P1" } } },
  });

  test.each([
    ["by number", child(1), "P1"],
    ["by name", child("MEDIA_ALBUM"), "P1"],
    ["in an envelope", { associatedChildMessage: { message: child(1) } }, "P1"],
    ["around an envelope", { ...child(1), ephemeralMessage: { message: { conversation: "x" } } }, "P1"],
    ["another association", child("HD_VIDEO_DUAL_UPLOAD"), undefined],
    ["no id", { ...child(1), messageContextInfo: { messageAssociation: { associationType: 1 } } }, undefined],
  ])("%s", (_, message, album) => {
    expect(said(message)?.album).toBe(album);
  });

  test("what announces an album says nothing", () => {
    expect(said({ albumMessage: { expectedImageCount: 2 } })).toBeUndefined();
  });
});

test("somebody has every id that is told", () => {
  expect(said({ conversation: "Hi" }, { remoteJid: "77:3@lid", remoteJidAlt: JOHN })?.sender).toEqual({
    id: JOHN,
    otherIds: ["77@lid"],
  });
});
