import { isObject } from "../../core/json/value.js";

/** A channel's location: a direct chat, or a server. A thread is a channel inside a parent channel. */
export type Where =
  /** `person` is known if the channel was found by person. */
  { kind: "direct"; person?: string } | { kind: "server"; server: string; parent?: string };

const DIRECT_TYPE = 1;
const THREAD_TYPES: readonly unknown[] = [10, 11, 12];

/**
 * The location of a channel object; undefined if it does not state one.
 *
 * @param server the server that lists the channel, which the channel object may omit
 */
export function whereOf(channel: unknown, server?: unknown): Where | undefined {
  if (!isObject(channel)) return undefined;
  const { type, parent_id: parent, guild_id = server } = channel;
  if (typeof guild_id !== "string") return type === DIRECT_TYPE ? { kind: "direct" } : undefined;
  // Other channels have their category as parent.
  const isThread = THREAD_TYPES.includes(type) && typeof parent === "string";
  return { kind: "server", server: guild_id, ...(isThread && { parent }) };
}
