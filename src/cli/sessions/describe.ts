import { noteMessage, type SessionMeta } from "../../core/notes.js";
import type { SessionLog } from "../../log/types.js";

/** Appends a note about the session. */
export async function describe(session: SessionLog, meta: SessionMeta): Promise<void> {
  await session.append([noteMessage({ type: "dragoman/meta", data: meta }, Date.now())]);
}
