import type { Dialect } from "../core/dialect.js";

/** Every dialect, loaded when it is used. Adding one is a folder and a line here. */
export const registry = {
  openclaw: async () => (await import("./openclaw/index.js")).openclaw,
  "openai-chat": async () => (await import("./openai-chat/index.js")).openaiChat,
} satisfies Record<string, () => Promise<Dialect>>;

export type DialectName = keyof typeof registry;
