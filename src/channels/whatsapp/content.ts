import { isObject } from "../../core/json/value.js";
import type { PassedOn } from "../../core/shown/quote.js";
import type { Attachment } from "../types.js";

export type Fields = Record<string, unknown>;

/** A message's content, without its envelopes. */
export interface Content {
  text?: string;
  /** Content the sender did not write. */
  passedOn: readonly PassedOn[];
  file?: Attachment;
  /** The message it replies to. */
  quoted?: { id: string; sender?: string; text?: string };
  mentioned: readonly string[];
  /** The id of the message it replaces. Without any content, it deletes that message. */
  edits?: string;
}

/** Fields that wrap another message: disappearing, view-once, part of an album, sent from another device. */
const envelopes = [
  "ephemeralMessage",
  "associatedChildMessage",
  "groupMentionedMessage",
  "pollCreationMessageV4",
  "lottieStickerMessage",
  "viewOnceMessage",
  "viewOnceMessageV2",
  "viewOnceMessageV2Extension",
  "documentWithCaptionMessage",
  "deviceSentMessage",
  "editedMessage",
];
const MOST_ENVELOPES = 8;
const EDITS: readonly unknown[] = [14, "MESSAGE_EDIT"];
const DELETIONS: readonly unknown[] = [0, "REVOKE"];

const media: Readonly<Record<string, Attachment["kind"]>> = {
  imageMessage: "image",
  stickerMessage: "image",
  audioMessage: "audio",
  videoMessage: "video",
  ptvMessage: "video",
  documentMessage: "document",
};

/** Kinds without text or file: the word to show, and the field with the name. */
const named: Readonly<Record<string, readonly [word: string, field: string]>> = {
  contactMessage: ["contact", "displayName"],
  contactsArrayMessage: ["contacts", "displayName"],
  pollCreationMessage: ["poll", "name"],
  pollCreationMessageV2: ["poll", "name"],
  pollCreationMessageV3: ["poll", "name"],
  pollCreationMessageV5: ["poll", "name"],
  eventMessage: ["event", "name"],
  groupInviteMessage: ["invitation", "groupName"],
};

/** Unsupported kinds that people see: shown by name, so that the agent knows something is missing. */
const unsupported: Readonly<Record<string, string>> = {
  interactiveMessage: "interactive message",
  interactiveResponseMessage: "interactive answer",
  buttonsMessage: "buttons",
  listMessage: "list",
  templateMessage: "template",
  commentMessage: "comment",
  orderMessage: "order",
  productMessage: "product",
  invoiceMessage: "invoice",
  sendPaymentMessage: "payment",
  requestPaymentMessage: "payment request",
  stickerPackMessage: "stickers",
};

/** Replies by button or list: the sender chose this text. */
const chosen: readonly (readonly [name: string, field: string])[] = [
  ["buttonsResponseMessage", "selectedDisplayText"],
  ["templateButtonReplyMessage", "selectedDisplayText"],
  ["listResponseMessage", "title"],
];

/** Undefined for messages without content: reactions, keys, calls, protocol messages. */
export function contentOf(message: unknown): Content | undefined {
  const inner = unwrapped(message);
  if (inner === undefined) return undefined;
  const protocol = inner["protocolMessage"];
  return isObject(protocol) ? editContent(protocol) : contentIn(inner);
}

function contentIn(message: Fields): Content | undefined {
  const part = partOf(message);
  if (part === undefined) return undefined;
  const { text, shown, file } = part.content;
  const isTheirs = shown === undefined && isForwarded(part.fields);
  const words = isTheirs
    ? { passedOn: [{ kind: "forwarded", text: text ?? "" }] }
    : { ...(text !== undefined && { text }), passedOn: shown === undefined ? [] : [shown] };
  return { ...words, ...(file !== undefined && { file }), ...contextOf(part.fields) };
}

function isForwarded({ contextInfo }: Fields): boolean {
  return isObject(contextInfo) && contextInfo["isForwarded"] === true;
}

interface PartContent {
  text?: string;
  shown?: PassedOn;
  file?: Attachment;
}

/** The part of a message with content. */
function partOf(message: Fields): { fields: Fields; content: PartContent } | undefined {
  const { conversation, extendedTextMessage: extended } = message;
  if (isText(conversation)) return { fields: {}, content: { text: conversation } };
  if (isObject(extended) && isText(extended["text"])) {
    return { fields: extended, content: { text: extended["text"] } };
  }
  for (const [name, field] of chosen) {
    const fields = message[name];
    if (isObject(fields) && isText(fields[field])) return { fields, content: { text: fields[field] } };
  }
  for (const [name, kind] of Object.entries(media)) {
    const fields = message[name];
    if (!isObject(fields)) continue;
    const { caption } = fields;
    return { fields, content: { ...(isText(caption) && { text: caption }), file: fileOf(fields, kind) } };
  }
  return shownBy(message);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function unwrapped(message: unknown): Fields | undefined {
  return levelsOf(message).at(-1);
}

/** A message and the messages wrapped in it, outermost first; empty if there are too many levels. */
export function levelsOf(message: unknown): Fields[] {
  const levels: Fields[] = [];
  let inner = message;
  while (levels.length < MOST_ENVELOPES && isObject(inner)) {
    const fields = inner;
    levels.push(fields);
    const envelope = envelopes.map((name) => fields[name]).find(isObject);
    if (envelope === undefined) return levels;
    inner = envelope["message"];
  }
  return [];
}

function editContent({ type, key, editedMessage }: Fields): Content | undefined {
  if (!isObject(key) || typeof key["id"] !== "string") return undefined;
  const gone: Content = { passedOn: [], mentioned: [], edits: key["id"] };
  if (DELETIONS.includes(type)) return gone;
  if (!EDITS.includes(type)) return undefined;
  if (isEmptied(editedMessage)) return gone;
  const content = contentIn(unwrapped(editedMessage) ?? {});
  return { ...(content ?? { ...gone, passedOn: [UNSUPPORTED_EDIT] }), edits: key["id"] };
}

const UNSUPPORTED_EDIT: PassedOn = { kind: "edited message", text: "" };

/** Whether an edit leaves neither file nor text. */
function isEmptied(message: unknown): boolean {
  if (message === undefined || message === null) return true;
  const {
    messageContextInfo: _,
    conversation,
    extendedTextMessage: extended,
    ...rest
  } = unwrapped(message) ?? {
    unreadable: true,
  };
  const isBlank = !isObject(extended) || !isText(extended["text"]);
  return Object.keys(rest).length === 0 && !isText(conversation) && isBlank;
}

function fileOf(file: Fields, kind: Attachment["kind"]): Attachment {
  const { mimetype, fileName, fileLength, url, directPath, mediaKey } = file;
  const bytes = integerOf(fileLength);
  return {
    kind,
    // Where to download it, and the key.
    handle: JSON.stringify({ url, directPath, mediaKey }),
    ...(typeof mimetype === "string" && { mimeType: mimetype }),
    ...(typeof fileName === "string" && { name: fileName }),
    ...(bytes !== undefined && { bytes }),
  };
}

/** The message it replies to, and the people it mentions. */
export function contextOf({ contextInfo }: Fields): Pick<Content, "quoted" | "mentioned"> {
  if (!isObject(contextInfo)) return { mentioned: [] };
  const { stanzaId, participant, quotedMessage, mentionedJid } = contextInfo;
  const mentioned = Array.isArray(mentionedJid) ? mentionedJid.filter((jid) => typeof jid === "string") : [];
  if (!isText(stanzaId)) return { mentioned };
  const content = partOf(unwrapped(quotedMessage) ?? {})?.content;
  const text = content?.text ?? content?.shown?.text;
  return {
    mentioned,
    quoted: {
      id: stanzaId,
      ...(typeof participant === "string" && { sender: participant }),
      ...(text !== undefined && { text }),
    },
  };
}

function shownBy(message: Fields): { fields: Fields; content: PartContent } | undefined {
  const place = message["locationMessage"] ?? message["liveLocationMessage"];
  if (isObject(place) && typeof place["degreesLatitude"] === "number") {
    const name = isText(place["name"]) ? `${place["name"]}, ` : "";
    const text = `${name}${place["degreesLatitude"]}, ${place["degreesLongitude"]}`;
    return { fields: place, content: { shown: { kind: "location", text } } };
  }
  for (const [key, [kind, field]] of Object.entries(named)) {
    const fields = message[key];
    if (!isObject(fields)) continue;
    const parts = [fields[field], choicesOf(fields), numbersOf(fields)];
    return { fields, content: { shown: { kind, text: parts.filter(isText).join(" ") } } };
  }
  for (const [key, kind] of Object.entries(unsupported)) {
    const fields = message[key];
    if (isObject(fields)) return { fields, content: { shown: { kind, text: "" } } };
  }
  return undefined;
}

/** A contact's phone numbers, from its vCard: `TEL;type=CELL;waid=4915112345678:+49 151 12345678`. */
function numbersOf({ vcard, contacts }: Fields): string {
  const cards = [
    vcard,
    ...(Array.isArray(contacts) ? contacts.map((one) => isObject(one) && one["vcard"]) : []),
  ];
  const lines = cards.filter(isText).flatMap((card) => card.split("\n"));
  const numbers = lines.filter((line) => /^(?:item\d{1,3}\.)?TEL[;:]/i.test(line));
  return numbers.map((line) => line.slice(line.lastIndexOf(":") + 1).trim()).join(", ");
}

/** A poll's options: `yes / no`. */
function choicesOf({ options }: Fields): string {
  const names = Array.isArray(options)
    ? options.map((option) => isObject(option) && option["optionName"])
    : [];
  return names.filter(isText).join(" / ");
}

/** A 64-bit integer of a protocol buffer: a number, digits, or two 32-bit halves. */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value === "string") return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (!isObject(value)) return undefined;
  const { low, high } = value;
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return integerOf(high * 2 ** 32 + (low >>> 0));
}
