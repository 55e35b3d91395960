import { withFolder } from "../../core/message/folder.js";
import type { AgentMessage, Ext, Loss, SessionMessage } from "../../core/types.js";

export interface SessionStart {
  id: string;
  folder: string;
  now: Date;
  /** The dialect that the session is written in. */
  dialect: string;
  onLoss(loss: Loss): void;
}

/**
 * The session that continues another one: it has a new id and the chosen folder. It is not a part of the session that
 * started the source, and the settings in the source's own header belong to the source.
 */
export function newSession(source: SessionMessage | undefined, start: SessionStart): SessionMessage {
  const { parent, ext, ...rest } = source ?? { role: "session", timestamp: start.now.getTime() };
  for (const [what, value] of [["parent", parent] as const, [`ext.${start.dialect}`, ext?.[start.dialect]] as const]) {
    if (value === undefined) continue;
    start.onLoss({ at: "", what, why: "the session that continues it is a new one", severity: "dropped" });
  }
  const others = withoutNotes(ext, [start.dialect]);
  const session: SessionMessage = { ...rest, role: "session", id: start.id };
  return withFolder(others === undefined ? session : { ...session, ext: others }, start.folder);
}

function withoutNotes(ext: Ext | undefined, names: readonly string[]): Ext | undefined {
  const others = Object.entries(ext ?? {}).filter(([name]) => !names.includes(name));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

/**
 * The message as a new one: its ids are those of no other session, and nothing states how the program wrote it before. For
 * programs that keep the messages of all sessions together.
 */
export function newMessage(message: AgentMessage, { id: session, dialect }: SessionStart): AgentMessage {
  const renamed = (id: string) => `${session} ${id}`;
  const { id, parentId, ext, ...rest } = message;
  const others = withoutNotes(ext, [dialect]);
  const copy: AgentMessage = {
    ...rest,
    ...(id === undefined ? {} : { id: renamed(id) }),
    ...(parentId === undefined ? {} : { parentId: parentId === null ? null : renamed(parentId) }),
    ...(others === undefined ? {} : { ext: others }),
  };
  if (copy.role !== "compaction") return copy;
  return {
    ...copy,
    ...(copy.firstKeptId === undefined ? {} : { firstKeptId: renamed(copy.firstKeptId) }),
    ...(copy.keptIds === undefined ? {} : { keptIds: copy.keptIds.map(renamed) }),
  };
}
