import type { Dialect } from "../core/dialect.js";

/** Every dialect, loaded when it is used. Adding one is a folder and a line here. */
export const registry = {
  openclaw: async () => (await import("./openclaw/index.js")).openclaw,
  cline: async () => (await import("./cline/index.js")).cline,
} satisfies Record<string, () => Promise<Dialect>>;

export type DialectName = keyof typeof registry;
