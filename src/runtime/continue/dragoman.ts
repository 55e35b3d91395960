import { MAIN } from "../agents.js";
import { homeFolder } from "../config.js";
import { importTranscript, readThrough } from "../import-transcript.js";
import { openStore } from "../sessions.js";
import type { Destination } from "./destination.js";

/** Our own log. Agents have workspaces of their own. */
export const dragoman: Destination = {
  title: "Dragoman",
  inAnyFolder: true,
  async store(source, { home, env, dryRun, onLoss }) {
    const readable = await readThrough(source, { onLoss });
    const { messages } = readable;
    if (dryRun) return { session: "", messages, commands: [] };
    const store = await openStore(home, env);
    const session = await importTranscript(store.log, source, { agent: MAIN }, readable);
    await session.close();
    await store.close();
    const command = ["dragoman", "chat", "--session", session.id];
    const isDefault = home === homeFolder(env);
    return { session: session.id, messages, commands: [isDefault ? command : [...command, "--home", home]] };
  },
};
