import { DragomanError } from "../../core/error.js";

/** Without a version, npm installs an older one. */
export const CLIENT = { name: "baileys", install: "baileys@7.0.0-rc14" };

export type Baileys = typeof import("baileys");

/** Baileys takes most of a second to load, and 60 MB. */
export async function loadBaileys(): Promise<Baileys> {
  try {
    return await import("baileys");
  } catch (cause) {
    throw new DragomanError(
      "channel/no-client",
      `WhatsApp needs the package ${CLIENT.name}, which is not installed`,
      { hint: `npm install ${CLIENT.install}`, cause },
    );
  }
}

/** Baileys would log keys and messages. */
export const silent = {
  level: "silent",
  child: () => silent,
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
