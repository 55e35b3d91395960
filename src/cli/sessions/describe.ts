import { noteMessage, type SessionMeta } from "../../core/message/notes.js";
import type { CustomMessage } from "../../core/types.js";
import type { SessionLog } from "../../log/types.js";

/** Appends metadata to the session. */
export async function appendMeta(session: SessionLog, meta: SessionMeta): Promise<void> {
  await session.append([metaNote(meta)]);
}

export function metaNote(meta: SessionMeta): CustomMessage {
  return noteMessage({ type: "dragoman/meta", data: meta }, Date.now());
}
