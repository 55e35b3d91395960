import { DragomanError } from "../core/error.js";

/** The chat that a session key names. */
export interface Peer {
  agent: string;
  channel: string;
  kind: "dm" | "group" | "channel";
  /** As the channel writes it: `123456789`, `4915112345678@s.whatsapp.net`, `@ann:matrix.org`. Case-sensitive. */
  peer: string;
  thread?: { kind: "thread" | "topic"; id: string };
}

const MAX_KEY_LENGTH = 1024;
const MAX_AGENT_LENGTH = 64;
const SAFE_ID = /^[A-Za-z0-9_-]+$/;
/** Windows devices, which cannot be file names there. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;
/** White space, control characters and lone surrogates, which UTF-8 cannot distinguish. */
const UNPRINTABLE = /[\s\p{Cc}\p{Cs}]/u;

/** A percent-encoded UTF-8 character: those of one byte, and white space of two and three. */
const ESCAPED = /%[0-7][0-9A-F]|%C2%[89A][0-9A-F]|%E[123]%[89AB][0-9A-F]%[89AB][0-9A-F]|%EF%BB%BF/g;

const kinds = new Map<string, Peer["kind"]>([
  ["dm", "dm"],
  ["direct", "dm"],
  ["group", "group"],
  ["channel", "channel"],
]);

/** Whether a string can be a session's id: a safe file name on every system. */
export function isSafeId(id: string): boolean {
  return SAFE_ID.test(id);
}

/** Throws `log/bad-agent` for an invalid agent id. */
export function checkAgent(agent: string): void {
  if (SAFE_ID.test(agent) && agent.length <= MAX_AGENT_LENGTH && !DEVICE.test(agent)) return;
  throw new DragomanError("log/bad-agent", `${JSON.stringify(agent)} is not a valid agent id`, {
    hint: `use at most ${MAX_AGENT_LENGTH} letters, digits, "-" and "_"`,
  });
}

/**
 * The key of a conversation. In other systems' ids a colon is written `%3A`, `%` is written `%25`, and white space and
 * control characters are percent-encoded as in a URL.
 *
 * @example
 * sessionKey({ agent: "main", channel: "telegram", kind: "dm", peer: "123456789" }); // "agent:main:telegram:dm:123456789"
 */
export function sessionKey({ agent, channel, kind, peer, thread }: Peer): string {
  const parts = [channel, kind, peer, ...(thread === undefined ? [] : [thread.kind, thread.id])];
  return canonicalKey(["agent", agent, ...parts.map(escapePart)].join(":"));
}

/** The chat that a key names; undefined for other keys, such as `agent:main:main`. */
export function peerOf(key: string): Peer | undefined {
  const [, agent = "", channel = "", kindName = "", peer = "", suffix, id] = partsOf(key).map(unescapePart);
  const kind = kinds.get(kindName);
  if (kind === undefined) return undefined;
  const thread = isSuffix(suffix) && id !== undefined ? { thread: { kind: suffix, id } } : {};
  return { agent, channel, kind, peer, ...thread };
}

/**
 * The one spelling for each conversation: `direct` becomes `dm`. Throws `log/bad-key` for an invalid key.
 *
 * @example
 * canonicalKey("agent:main:telegram:direct:123456789"); // "agent:main:telegram:dm:123456789"
 */
export function canonicalKey(key: string): string {
  const parts = partsOf(key);
  const kind = kinds.get(parts[3] ?? "");
  return parts.map((part, index) => (index === 3 && kind !== undefined ? kind : part)).join(":");
}

/** Whether `canonicalKey` accepts a string. */
export function isKey(name: string): boolean {
  try {
    return canonicalKey(name) !== "";
  } catch (error) {
    if (error instanceof DragomanError) return false;
    throw error;
  }
}

/** The agent a key belongs to. */
export function agentOf(key: string): string {
  return partsOf(key)[1] ?? "";
}

function isSuffix(part: string | undefined): part is "thread" | "topic" {
  return part === "thread" || part === "topic";
}

/** `agent`, the agent's id, then at least one part; each is checked, and has one spelling for colons and `%`. */
function partsOf(key: string): string[] {
  const [word, agent = "", ...rest] = key.split(":");
  if (word !== "agent" || rest.length === 0) refuse(key, "does not begin with agent:<id>:<more>");
  checkAgent(agent);
  if (key.length > MAX_KEY_LENGTH) refuse(key, `is longer than ${MAX_KEY_LENGTH} characters`);
  if (UNPRINTABLE.test(key)) refuse(key, "contains white space or an unprintable character");
  if (rest.includes("")) refuse(key, "has an empty part");
  const [, kind = "", peer, suffix, ...more] = rest;
  if (kinds.has(kind)) {
    if (peer === undefined) refuse(key, `has no id after "${kind}"`);
    const whole = suffix === undefined ? true : isSuffix(suffix) && more.length === 1;
    if (!whole) refuse(key, `has more after "${kind}" than an id and :thread:<id> or :topic:<id>`);
  }
  for (const part of rest) {
    if (escapePart(unescapePart(part)) !== part)
      refuse(key, "contains a % that is not part of a valid escape");
  }
  return [word, agent, ...rest];
}

function escapePart(part: string): string {
  return part.replace(/[%:\s\p{Cc}]/gu, encodeURIComponent);
}

/** One character at a time, so that an invalid escape stays, and is refused. */
function unescapePart(part: string): string {
  return part.replace(ESCAPED, (code) => decodeURIComponent(code));
}

function refuse(key: string, problem: string): never {
  const shown = key.length > 100 ? `${key.slice(0, 100)}…` : key;
  throw new DragomanError("log/bad-key", `the session key ${JSON.stringify(shown)} ${problem}`, {
    hint: 'write it like "agent:main:telegram:dm:123456789"; a colon inside an id is written %3A, and % is %25',
  });
}
