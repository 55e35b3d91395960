import { createHash } from "node:crypto";
import type { Archive, ArchivedSession } from "./archive.js";

export interface Difference {
  /** A session, or the name of shared lines. */
  name: string;
  /** For people. */
  what: string;
}

export interface Comparison {
  /** Sessions with the same bytes in both. */
  same: number;
  differences: Difference[];
}

/** Compares the bytes of all sessions, and what keys stand for. */
export async function compareSessions(one: Archive, other: Archive): Promise<Comparison> {
  const comparison: Comparison = { same: 0, differences: [] };
  const add = (name: string, what: string) => comparison.differences.push({ name, what });
  const others = new Map<string, ArchivedSession>();
  for await (const session of other.sessions()) others.set(session.id, session);
  for await (const session of one.sessions()) {
    const found = others.get(session.id);
    others.delete(session.id);
    if (found === undefined) add(session.id, "is only in the first store");
    else if (found.agent !== session.agent) add(session.id, "belongs to different agents");
    else if (found.size !== session.size) add(session.id, `has ${session.size} and ${found.size} bytes`);
    else if ((await hashOf(one, session)) !== (await hashOf(other, found)))
      add(session.id, "has different bytes");
    else comparison.same += 1;
  }
  for (const { id } of others.values()) add(id, "is only in the second store");
  const keys = await keysOf(one);
  for (const [key, id] of await keysOf(other)) {
    if (keys.get(key) !== id) add(id, `is what the key ${key} stands for in the second store only`);
    keys.delete(key);
  }
  for (const [key, id] of keys) add(id, `is what the key ${key} stands for in the first store only`);
  return comparison;
}

async function hashOf(archive: Archive, session: ArchivedSession): Promise<string> {
  const hash = createHash("sha256");
  for await (const lines of archive.read(session, 0)) hash.update(lines);
  return hash.digest("hex");
}

async function keysOf(archive: Archive): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for await (const [key, id] of archive.keys()) keys.set(key, id);
  return keys;
}
