import { noteMessage, type SessionMeta } from "../../core/message/notes.js";
import type { CustomMessage } from "../../core/types.js";
import type { SessionLog } from "../../log/types.js";

/** Appends metadata to the session. */
export async function describe(session: SessionLog, meta: SessionMeta): Promise<void> {
  await session.append([describing(meta)]);
}

export function describing(meta: SessionMeta): CustomMessage {
  return noteMessage({ type: "dragoman/meta", data: meta }, Date.now());
}
