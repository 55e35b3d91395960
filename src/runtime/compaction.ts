import { compact } from "../agent/compaction.js";
import { noteMessage } from "../core/message/notes.js";
import { lastCompaction } from "../core/shown/compaction.js";
import type { AgentMessage, Loss } from "../core/types.js";
import type { History } from "./history.js";
import { notOurs } from "./not-ours.js";
import type { AgentSetup } from "./types.js";

/** The line that summarises the older messages, not stored yet; undefined when there is nothing to summarise. */
export async function summarise(
  history: History,
  { id, model, run }: AgentSetup,
  onLosses: (losses: readonly Loss[]) => void,
  signal: AbortSignal | undefined,
): Promise<AgentMessage | undefined> {
  if (run !== undefined) throw notOurs(id, "it compacts its context itself");
  const messages = await history.read();
  return compact({ messages, model, onLosses, ...(signal === undefined ? {} : { signal }) });
}

/** Shows the model again what the last compaction summarised; false when there is none. */
export async function undoLastCompaction(history: History): Promise<boolean> {
  const id = lastCompaction(await history.read())?.compaction.id;
  if (id === undefined) return false;
  await history.append([noteMessage({ type: "dragoman/undo-compaction", data: { id } }, Date.now())]);
  return true;
}
