import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Types whose author is a person or an agent, named only by `sender`. */
const AUTHORED = new Set(["user", "agent", "thinking", "tool_call", "status", "error"]);

interface Stream {
  /** The senders of user and of agent messages; undefined if a message has none. */
  users: Set<string | undefined>;
  agents: Set<string | undefined>;
  unsigned: { at: string; type: string }[];
}

/**
 * Messages without a `sender` in a thread of several users or agents, where Timbal requires one. A user or agent message
 * without a sender counts as another user or agent, because a reader cannot tell who wrote it.
 */
export function checkSenders(records: readonly JsonRecord[]): Drift[] {
  const streams = new Map<unknown, Stream>();
  for (const [index, { s, v }] of records.entries()) {
    if (!isObject(v) || typeof v["type"] !== "string") continue;
    const stream = streams.get(s) ?? { users: new Set(), agents: new Set(), unsigned: [] };
    streams.set(s, stream);
    note(stream, v["type"], v["sender"], `/${index}/v`);
  }
  return [...streams.values()].flatMap(({ users, agents, unsigned }) => {
    if (users.size < 2 && agents.size < 2) return [];
    const several = users.size > 1 ? "users" : "agents";
    return unsigned.map(({ at, type }) => {
      const message = `the ${type} message has no sender, in a thread with several ${several}`;
      return warning(at, "no-sender", message, "write the author's id in sender");
    });
  });
}

function note({ users, agents, unsigned }: Stream, type: string, sender: unknown, at: string): void {
  const name = typeof sender === "string" ? sender : undefined;
  if (name === undefined && AUTHORED.has(type)) unsigned.push({ at, type });
  if (type === "user") users.add(name);
  // A single agent may omit the sender from its thinking and calls, but not from its answers.
  if (type === "agent" || (name !== undefined && (type === "thinking" || type === "tool_call"))) {
    agents.add(name);
  }
}
