import { isObject } from "../../core/json/value.js";
import type { Attachment } from "../types.js";

type Fields = Record<string, unknown>;

/** What a message says, taken out of everything it can be wrapped in. */
export interface Content {
  text?: string;
  kind?: Attachment["kind"];
  /** The part of the message that says where the file is, and how to decrypt it. */
  file?: { [name: string]: unknown };
  mimeType?: string;
  name?: string;
  bytes?: number;
  /** The message it answers, who wrote that, and what was in it. */
  quoted?: { id: string; sender?: string; text?: string };
  mentioned: readonly string[];
  /** The id of the message that it replaces. */
  edits?: string;
}

/** Messages that are a message in an envelope: they vanish, are seen once, were written on another device, have a caption. */
const envelopes = [
  "ephemeralMessage",
  "viewOnceMessage",
  "viewOnceMessageV2",
  "viewOnceMessageV2Extension",
  "documentWithCaptionMessage",
  "deviceSentMessage",
  "editedMessage",
];
const MOST_ENVELOPES = 8;
const EDIT = 14;

const media: Readonly<Record<string, Attachment["kind"]>> = {
  imageMessage: "image",
  stickerMessage: "image",
  audioMessage: "audio",
  videoMessage: "video",
  ptvMessage: "video",
  documentMessage: "document",
};

/** Undefined for what is not said by anybody: reactions, keys, calls, the protocol's own. */
export function contentOf(message: unknown): Content | undefined {
  const inner = unwrapped(message);
  if (inner === undefined) return undefined;
  const protocol = inner["protocolMessage"];
  if (isObject(protocol)) return edited(protocol);
  if (typeof inner["conversation"] === "string") return { text: inner["conversation"], mentioned: [] };
  const extended = inner["extendedTextMessage"];
  if (isObject(extended) && typeof extended["text"] === "string") {
    return { text: extended["text"], ...contextOf(extended) };
  }
  for (const [name, kind] of Object.entries(media)) {
    const file = inner[name];
    if (isObject(file)) return { ...fileOf(file, kind), file: { [name]: file }, ...contextOf(file) };
  }
  return shownOf(inner);
}

/** The words of a message without a question to anybody, such as one that is quoted. */
export function textOf(message: unknown): string | undefined {
  return contentOf(message)?.text;
}

function unwrapped(message: unknown): Fields | undefined {
  let inner = message;
  for (let depth = 0; depth < MOST_ENVELOPES && isObject(inner); depth++) {
    const fields = inner;
    const envelope = envelopes.map((name) => fields[name]).find(isObject);
    if (envelope === undefined) return fields;
    inner = envelope["message"];
  }
  return undefined;
}

function edited({ type, key, editedMessage }: Fields): Content | undefined {
  const isEdit = type === EDIT || type === "MESSAGE_EDIT";
  if (!isEdit || !isObject(key) || typeof key["id"] !== "string") return undefined;
  const content = contentOf(editedMessage);
  return content === undefined ? undefined : { ...content, edits: key["id"] };
}

function fileOf(file: Fields, kind: Attachment["kind"]): Omit<Content, "mentioned"> {
  const { caption, mimetype, fileName, fileLength } = file;
  const bytes = integerOf(fileLength);
  return {
    kind,
    ...(typeof caption === "string" && caption !== "" && { text: caption }),
    ...(typeof mimetype === "string" && { mimeType: mimetype }),
    ...(typeof fileName === "string" && { name: fileName }),
    ...(bytes !== undefined && { bytes }),
  };
}

function contextOf({ contextInfo }: Fields): Pick<Content, "quoted" | "mentioned"> {
  if (!isObject(contextInfo)) return { mentioned: [] };
  const { stanzaId, participant, quotedMessage, mentionedJid } = contextInfo;
  const mentioned = Array.isArray(mentionedJid) ? mentionedJid.filter((jid) => typeof jid === "string") : [];
  if (typeof stanzaId !== "string" || stanzaId === "") return { mentioned };
  const text = textOf(quotedMessage);
  return {
    mentioned,
    quoted: {
      id: stanzaId,
      ...(typeof participant === "string" && { sender: participant }),
      ...(text !== undefined && { text }),
    },
  };
}

/** What has no words and no file is named. */
function shownOf({ locationMessage: place, contactMessage: contact, ...rest }: Fields): Content | undefined {
  if (isObject(place) && typeof place["degreesLatitude"] === "number") {
    const name = typeof place["name"] === "string" && place["name"] !== "" ? ` ${place["name"]},` : "";
    return {
      text: `[location${name} ${place["degreesLatitude"]}, ${place["degreesLongitude"]}]`,
      mentioned: [],
    };
  }
  if (isObject(contact) && typeof contact["displayName"] === "string") {
    return { text: `[contact ${contact["displayName"]}]`, mentioned: [] };
  }
  const poll = ["pollCreationMessage", "pollCreationMessageV2", "pollCreationMessageV3"]
    .map((name) => rest[name])
    .find(isObject);
  return typeof poll?.["name"] === "string" ? { text: `[poll ${poll["name"]}]`, mentioned: [] } : undefined;
}

/** Protocol buffers have 64-bit integers: a number, digits, or two halves, of which the upper one counts 2³². */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  if (typeof value === "string") return /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  if (!isObject(value)) return undefined;
  const { low, high } = value;
  if (typeof low !== "number" || typeof high !== "number") return undefined;
  return integerOf(high * 2 ** 32 + (low >>> 0));
}
