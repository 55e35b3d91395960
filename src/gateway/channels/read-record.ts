import type { Attachment, Inbound, Outgoing, Person, Place } from "../../channels/types.js";
import { isObject } from "../../core/json/value.js";
import { is } from "../../core/validate.js";

/** Undefined or of that kind. */
function maybe(value: unknown, kind: "string" | "number"): boolean {
  return value === undefined || typeof value === kind;
}

export function isPlace(value: unknown): value is Place {
  if (!isObject(value)) return false;
  const { kind, chat, thread } = value;
  return (
    (kind === "direct" || kind === "group" || kind === "channel") &&
    typeof chat === "string" &&
    maybe(thread, "string")
  );
}

function isPerson(value: unknown): value is Person {
  if (!isObject(value)) return false;
  const { id, name, otherIds } = value;
  return typeof id === "string" && maybe(name, "string") && (otherIds === undefined || isTexts(otherIds));
}

const attachmentKinds: readonly unknown[] = ["image", "audio", "video", "document"];

function isAttachment(value: unknown): value is Attachment {
  if (!isObject(value)) return false;
  const { kind, handle, mimeType, name, bytes } = value;
  return (
    attachmentKinds.includes(kind) &&
    typeof handle === "string" &&
    maybe(mimeType, "string") &&
    maybe(name, "string") &&
    maybe(bytes, "number")
  );
}

export function isInbound(value: unknown): value is Inbound {
  if (!isObject(value)) return false;
  const { message, id, idScope, place, sender, attachments, addressed, album, albumSize, edits } = value;
  return (
    is("OpenClawMessage", message) &&
    typeof id === "string" &&
    maybe(idScope, "string") &&
    isPlace(place) &&
    isPerson(sender) &&
    Array.isArray(attachments) &&
    attachments.every(isAttachment) &&
    typeof addressed === "boolean" &&
    maybe(album, "string") &&
    maybe(albumSize, "number") &&
    maybe(edits, "string")
  );
}

export function isOutgoing(value: unknown): value is Outgoing {
  if (!isObject(value) || value["native"] === undefined) return false;
  const { mediaUrl, mediaUrls } = value;
  return maybe(mediaUrl, "string") && (mediaUrls === undefined || isTexts(mediaUrls));
}

export function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

/** A place as a key: threads of a chat are places of their own. */
export function placeKey({ chat, thread }: Place): string {
  return JSON.stringify(thread === undefined ? [chat] : [chat, thread]);
}
