import type { People } from "../../channels/people-schema.js";
import type { Chat } from "../../channels/types.js";
import { guards } from "../../core/validate.js";
import * as generated from "./generated/validators.js";
import type { InboxRecord, OutboxRecord } from "./record-schema.js";

const { is } = guards(generated);

/** Undefined if it is not a record of `inbox.jsonl`. */
export function readInboxRecord(value: unknown): InboxRecord | undefined {
  if (!is("InboxRecord", value)) return undefined;
  return value.type === "seen" ? { ...value, ids: value.ids.filter((id) => is("Seen", id)) } : value;
}

/** Undefined if it is not a record of `outbox.jsonl`. */
export function readOutboxRecord(value: unknown): OutboxRecord | undefined {
  return is("OutboxRecord", value) ? value : undefined;
}

/** Undefined if it is not the content of `people.json`. */
export function readPeople(value: unknown): People | undefined {
  return is("PeopleFile", value) ? { approved: value.approved, pending: value.pending } : undefined;
}

export function isChat(value: unknown): value is Chat {
  return is("Chat", value);
}

/** A chat's map key. Each thread has its own. */
export function chatKey({ chat, thread }: Chat): string {
  return JSON.stringify(thread === undefined ? [chat] : [chat, thread]);
}
