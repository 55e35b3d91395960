import type { People } from "../../channels/people-schema.js";
import type { Chat } from "../../channels/types.js";
import { guards } from "../../core/validate.js";
import * as generated from "./generated/validators.js";
import type { InboxRecord, OutboxRecord } from "./record-schema.js";

const { is } = guards(generated);

/** Undefined for what is no line of `inbox.jsonl`. */
export function readInboxRecord(value: unknown): InboxRecord | undefined {
  if (!is("InboxRecord", value)) return undefined;
  return value.type === "seen" ? { ...value, ids: value.ids.filter((id) => is("Seen", id)) } : value;
}

/** Undefined for what is no line of `outbox.jsonl`. */
export function readOutboxRecord(value: unknown): OutboxRecord | undefined {
  return is("OutboxRecord", value) ? value : undefined;
}

/** Undefined for what is not in `people.json`. */
export function readPeople(value: unknown): People | undefined {
  return is("PeopleFile", value) ? { approved: value.approved, pending: value.pending } : undefined;
}

export function isChat(value: unknown): value is Chat {
  return is("Chat", value);
}

/** A place as a key: threads of a chat are places of their own. */
export function chatKey({ chat, thread }: Chat): string {
  return JSON.stringify(thread === undefined ? [chat] : [chat, thread]);
}
