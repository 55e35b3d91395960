import { withFolder } from "../../core/message/folder.js";
import type { AgentMessage, AssistantMessage, Ext, Loss, SessionMessage } from "../../core/types.js";
import { uuidFor } from "../../core/uuid.js";

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
  for (const [what, value] of [
    ["parent", parent] as const,
    [`ext.${start.dialect}`, ext?.[start.dialect]] as const,
  ]) {
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

/** What a program requires of the messages of a session that another program wrote. */
export interface MessageRules {
  /** Whether their ids must differ from those of all other sessions. */
  ownIds?: true;
  /** Whether they are written anew, without the program's own records, even if the program itself wrote them before. */
  anew?: true;
  /** The `api` of answers whose thinking it can send back to its model, with a signature (default: any). */
  thinkingOf?: string;
  /** Whether it sends the ids of calls as they are, and its model's API may refuse them. */
  sendsCallIds?: true;
  /** Changes a message of the program's own that some of its versions would not read completely. */
  adapt?(message: AgentMessage, onLoss: (loss: Loss) => void): AgentMessage;
}

/** The message as the program's new session has it; undefined if it has none. */
export function newMessage(
  message: AgentMessage,
  rules: MessageRules,
  start: SessionStart,
): AgentMessage | undefined {
  const own = rules.anew === true ? withoutOwnNotes(message, start) : message;
  if (own === undefined) return undefined;
  const adapted = rules.adapt?.(own, start.onLoss) ?? own;
  const named = rules.ownIds === true ? renamed(adapted, (id) => `${start.id} ${id}`) : adapted;
  const called = rules.sendsCallIds === true ? withPlainCallIds(named, start) : named;
  return rules.thinkingOf === undefined ? called : withThinkingOf(called, rules.thinkingOf, start);
}

/** Records of the program's own, such as a second header, belong to the source. */
function withoutOwnNotes(message: AgentMessage, { dialect, onLoss }: SessionStart): AgentMessage | undefined {
  const why = "the messages of the new session are written anew";
  if (message.role === "custom" && message.customType.startsWith(`${dialect}/`)) {
    onLoss({ at: "", what: "the custom message", why, severity: "dropped", of: "message" });
    return undefined;
  }
  if (message.ext?.[dialect] === undefined) return message;
  onLoss({ at: "", what: `ext.${dialect}`, why, severity: "dropped" });
  const { ext, ...rest } = message;
  const others = withoutNotes(ext, [dialect]);
  return others === undefined ? rest : { ...rest, ext: others };
}

function renamed(message: AgentMessage, rename: (id: string) => string): AgentMessage {
  const { id, parentId } = message;
  const copy: AgentMessage = {
    ...message,
    ...(id === undefined ? {} : { id: rename(id) }),
    ...(parentId === undefined || parentId === null ? {} : { parentId: rename(parentId) }),
  };
  if (copy.role !== "compaction") return copy;
  return {
    ...copy,
    ...(copy.firstKeptId === undefined ? {} : { firstKeptId: rename(copy.firstKeptId) }),
    ...(copy.keptIds === undefined ? {} : { keptIds: copy.keptIds.map(rename) }),
  };
}

/** Models refuse thinking that they did not sign. */
function withThinkingOf(message: AgentMessage, api: string, { onLoss }: SessionStart): AgentMessage {
  if (message.role !== "assistant") return message;
  const isAccepted = (block: AssistantMessage["content"][number]) =>
    block.type !== "thinking" || (message.api === api && block.thinkingSignature !== undefined);
  const content = message.content.filter(isAccepted);
  const dropped = message.content.length - content.length;
  if (dropped === 0) return message;
  const why = "the program sends it to its model, which accepts only its own";
  for (let count = 0; count < dropped; count++) {
    onLoss({ at: "", what: "thinking", why, severity: "dropped", of: "content" });
  }
  return { ...message, content };
}

/** Ids of calls that every API accepts. */
const PLAIN_ID = /^[A-Za-z0-9_-]{1,40}$/;

function withPlainCallIds(message: AgentMessage, { onLoss }: SessionStart): AgentMessage {
  const plain = (id: string) => {
    if (PLAIN_ID.test(id)) return id;
    const why = "the APIs of models accept only short ids of letters, digits, _ and -";
    onLoss({ at: "", what: "the id of a call", why, severity: "approximated" });
    return `call_${uuidFor(id).replaceAll("-", "")}`;
  };
  if (message.role === "toolResult") return { ...message, toolCallId: plain(message.toolCallId) };
  if (message.role !== "assistant") return message;
  const content = message.content.map((block) =>
    block.type === "toolCall" ? { ...block, id: plain(block.id) } : block,
  );
  return { ...message, content };
}
