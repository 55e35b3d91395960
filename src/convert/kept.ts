import type { Dialect } from "../core/dialect.js";
import { historyAfter } from "../core/shown/conversation.js";
import type { AgentMessage, CompactionMessage } from "../core/types.js";
import type { Branch } from "./branch-finder.js";
import { eachMessage, linesWithout } from "./branches.js";
import type { SourceMessage } from "./decode.js";
import { recordReader } from "./read.js";

/** How many compactions refer to a message, by its id. */
interface KeptIds {
  /** As the first of the messages that are kept. */
  starts: Map<string, number>;
  /** As one of them. */
  ids: Map<string, number>;
}

type OnBranch = Pick<Branch, "isOff"> | undefined;

/** Finds the messages that the compactions of a source keep. */
export async function findKept(
  open: () => AsyncIterable<Uint8Array>,
  { from, to }: { from: Dialect; to: Dialect },
  branch: OnBranch,
): Promise<KeptMessages | undefined> {
  const found: KeptIds = { starts: new Map(), ids: new Map() };
  if (!(await hasKeptKey(open(), from))) return undefined;
  const visit = ({ message, origin }: SourceMessage) => {
    if (message.role !== "compaction") return;
    // A message without a parent is on every branch.
    if (message.parentId !== undefined && branch?.isOff(origin?.index ?? Number.NaN) === true) return;
    const { firstKeptId, keptIds = [] } = message;
    if (firstKeptId !== undefined) count(found.starts, firstKeptId);
    for (const id of keptIds) count(found.ids, id);
  };
  // The conversion itself reports the first error of the source.
  await eachMessage(open(), from, visit, { onBad: () => undefined });
  return found.starts.size === 0 && found.ids.size === 0 ? undefined : new KeptMessages(found, to);
}

function count(counts: Map<string, number>, id: string): void {
  counts.set(id, (counts.get(id) ?? 0) + 1);
}

/** In messages that a dialect carries, and in escrow as keys or pointers. */
const MODEL_KEYS = ["firstKeptId", "keptIds", "/firstKeptId", "/keptIds"];

async function hasKeptKey(
  source: AsyncIterable<Uint8Array>,
  { framing, keptKeys = [] }: Dialect,
): Promise<boolean> {
  const searches = [...MODEL_KEYS, ...keptKeys].map(linesWithout);
  const skip = (line: Uint8Array) => searches.every((isWithout) => isWithout(line));
  const reader = recordReader(framing, { skip, onBad: () => undefined });
  for await (const chunk of source) {
    for (const _ of reader.push(chunk)) return true;
  }
  for (const _ of reader.finish()) return true;
  return false;
}

/**
 * Gives each compaction that keeps messages the history that is left, for a dialect whose compactions contain it. It holds
 * the kept messages until the last compaction that refers to them.
 */
export class KeptMessages {
  readonly #starts: Map<string, number>;
  readonly #ids: Map<string, number>;
  readonly #target: Dialect;
  /** The compactions to come that keep everything from a message on that was already added. */
  #open = 0;
  #held: AgentMessage[] = [];

  constructor({ starts, ids }: KeptIds, target: Dialect) {
    this.#target = target;
    this.#starts = starts;
    this.#ids = ids;
  }

  add(source: SourceMessage): SourceMessage {
    const { message } = source;
    const written = message.role === "compaction" ? this.#resolve(message) : undefined;
    const { id } = message;
    if (id !== undefined) {
      this.#open += this.#starts.get(id) ?? 0;
      this.#starts.delete(id);
    }
    if (this.#open > 0 || this.#isNamed(message)) this.#held.push(message);
    return written === undefined ? source : { ...source, written };
  }

  #resolve(message: CompactionMessage): CompactionMessage | undefined {
    const { firstKeptId, keptIds, ...others } = message;
    if (firstKeptId === undefined && keptIds === undefined) return undefined;
    const held = this.#held;
    this.#release(message);
    if (this.#target.compactsToHistory?.(message) !== true) return undefined;
    return { ...others, replacement: historyAfter(message, ancestorsIn(held, message)) };
  }

  #release({ firstKeptId, keptIds = [] }: CompactionMessage): void {
    for (const id of keptIds) {
      const left = (this.#ids.get(id) ?? 1) - 1;
      if (left > 0) this.#ids.set(id, left);
      else this.#ids.delete(id);
    }
    // A message that was not found yet does not come before its compaction.
    if (firstKeptId !== undefined) {
      const missing = this.#starts.get(firstKeptId);
      if (missing === undefined) this.#open--;
      else if (missing > 1) this.#starts.set(firstKeptId, missing - 1);
      else this.#starts.delete(firstKeptId);
    }
    if (this.#open === 0) this.#held = this.#held.filter((held) => this.#isNamed(held));
  }

  #isNamed({ id }: AgentMessage): boolean {
    return id !== undefined && this.#ids.has(id);
  }
}

/** Without the messages on other branches than the compaction, as far as its parents are known. */
function ancestorsIn(
  messages: readonly AgentMessage[],
  compaction: CompactionMessage,
): readonly AgentMessage[] {
  const { firstKeptId, keptIds = [] } = compaction;
  const byId = new Map(messages.map((message) => [message.id, message]));
  const ancestors = new Set<string>();
  for (let id = compaction.parentId; typeof id === "string" && !ancestors.has(id); ) {
    const parent = byId.get(id);
    if (parent === undefined) break;
    ancestors.add(id);
    id = parent.parentId;
  }
  if (firstKeptId === undefined || !ancestors.has(firstKeptId)) return messages;
  const kept = new Set([...ancestors, ...keptIds]);
  return messages.filter(({ id, parentId }) => parentId === undefined || (id !== undefined && kept.has(id)));
}
