import { lastCompaction } from "../../core/shown/compaction.js";
import { readConfig } from "../../runtime/config.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Runtime } from "../../runtime/runtime.js";
import type { Arguments } from "../declaration.js";
import { tell } from "../terminal/tell.js";
import { atHome } from "./at-home.js";
import type { compactCommand } from "./commands.js";
import { findSession, refuseForeign, whileIdle } from "./find.js";
import { plain } from "./plain.js";
import { writeResult } from "./result.js";

export async function run({ values, words: [name] }: Arguments<typeof compactCommand>): Promise<number> {
  await atHome(values.home, async (sessions) => {
    const found = await findSession(sessions, name);
    refuseForeign(found);
    const { id } = found;
    const undo = values.undo === true;
    const { changed, summary } = await withConversation(sessions.home, id, async (conversation) => {
      const changed = undo ? await conversation.undoCompaction() : await conversation.compact();
      const last = lastCompaction(await conversation.messages());
      return { changed, summary: last?.compaction.summary };
    });
    const line = undo || !changed || summary === undefined ? "" : plain(summary);
    await writeResult(values.json, line, {
      session: id,
      changed,
      ...(summary === undefined ? {} : { summary }),
    });
    tell(outcome(undo, changed, id));
  });
  return 0;
}

/** Does something with a conversation that nobody else runs, and with the model it is configured for. */
async function withConversation<T>(
  home: string,
  id: string,
  work: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const runtime = new Runtime({ home, config: await readConfig(home, process.env), onNote: tell });
  try {
    return await whileIdle(runtime, id, async () => work(await runtime.open(id)));
  } finally {
    await runtime.close();
  }
}

function outcome(undo: boolean, changed: boolean, id: string): string {
  if (undo)
    return changed ? "the model is shown again what was summarised" : "there is no compaction to undo";
  if (!changed) return "there is too little to summarise; nothing was changed";
  return `from here on the model is shown this summary; \`dragoman sessions compact ${id} --undo\` takes it back`;
}
