import type { Dialect } from "../core/dialect.js";

/** Every dialect, loaded when it is used. Adding one is a folder and a line here. */
export const registry = {
  openclaw: async () => (await import("./openclaw/index.js")).openclaw,
  "openclaw-turns": async () => (await import("./openclaw-turns/index.js")).openclawTurns,
  pi: async () => (await import("./pi/index.js")).pi,
  cline: async () => (await import("./cline/index.js")).cline,
  clawtools: async () => (await import("./clawtools/index.js")).clawtools,
  timbal: async () => (await import("./timbal/index.js")).timbal,
  anthropic: async () => (await import("./anthropic/index.js")).anthropic,
  "openai-chat": async () => (await import("./openai-chat/index.js")).openaiChat,
  "openai-responses": async () => (await import("./openai-responses/index.js")).openaiResponses,
  google: async () => (await import("./google/index.js")).google,
  ollama: async () => (await import("./ollama/index.js")).ollama,
} satisfies Record<string, () => Promise<Dialect>>;

export type DialectName = keyof typeof registry;
