import { lastCompaction } from "../../core/shown/compaction.js";
import { readConfig } from "../../runtime/config.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Runtime } from "../../runtime/runtime.js";
import { openStore } from "../../runtime/sessions.js";
import type { Arguments } from "../declaration.js";
import { reportLine } from "../terminal/report-line.js";
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
    await writeResult(values.json, line, { session: id, changed, summary });
    reportLine(outcome(undo, changed, id));
  });
  return 0;
}

/** Runs `work` with the conversation while no other process runs it. */
async function withConversation<T>(
  home: string,
  id: string,
  work: (conversation: Conversation) => Promise<T>,
): Promise<T> {
  const config = await readConfig(home, process.env);
  const store = await openStore(home, process.env, reportLine);
  const runtime = new Runtime({ home, config, store, onNote: reportLine });
  try {
    return await whileIdle(runtime, id, async () => work(await runtime.open(id)));
  } finally {
    await runtime.close();
  }
}

function outcome(undo: boolean, changed: boolean, id: string): string {
  if (undo) return changed ? "the model is shown the full history again" : "no compaction to undo";
  if (!changed) return "not enough to summarise; nothing was changed";
  return `the model is now shown this summary; \`dragoman sessions compact ${id} --undo\` undoes this`;
}
