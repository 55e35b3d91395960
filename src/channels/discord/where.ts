import { isObject } from "../../core/json/value.js";

/** Where a channel is: between two, or in a server. A thread is a channel inside another one, its parent. */
export type Where =
  | {
      kind: "direct" /** Who the bot talks with there, where it was asked for by this person. */;
      person?: string;
    }
  | { kind: "server"; server: string; parent?: string };

const DIRECT_TYPE = 1;
const THREAD_TYPES: readonly unknown[] = [10, 11, 12];

/**
 * Where a channel object of Discord's API is; undefined when it does not say.
 *
 * @param server the server that lists it, which is not repeated in its own channels
 */
export function whereOf(channel: unknown, server?: unknown): Where | undefined {
  if (!isObject(channel)) return undefined;
  const { type, parent_id: parent, guild_id = server } = channel;
  if (typeof guild_id !== "string") return type === DIRECT_TYPE ? { kind: "direct" } : undefined;
  // Every other channel has a category for a parent.
  const isThread = THREAD_TYPES.includes(type) && typeof parent === "string";
  return { kind: "server", server: guild_id, ...(isThread && { parent }) };
}
