import { callsOf } from "../core/message/open-calls.js";
import { carriedOver, lastCompaction } from "../core/shown/compaction.js";
import { contextOf } from "../core/shown/context-of.js";
import { contextTokens, estimateTokens } from "../core/shown/tokens.js";
import type { AgentMessage, CompactionMessage } from "../core/types.js";
import { summarise } from "./summarise.js";
import type { AgentModel, OnLosses } from "./types.js";

export interface CompactionLimits {
  /** Tokens of the window reserved for the answer (default: 16,384, at most a quarter of the window). */
  reserveTokens?: number;
  /** Tokens of recent messages to keep unchanged (default: 20,000, at most a quarter of the window). */
  keepTokens?: number;
}

export interface CompactOptions extends Pick<CompactionLimits, "keepTokens"> {
  messages: readonly AgentMessage[];
  model: AgentModel;
  signal?: AbortSignal;
  onLosses?: OnLosses | undefined;
  now?: () => number;
}

const RESERVE = 16_384;
const KEEP = 20_000;

/**
 * Whether the conversation leaves too little of the model's window for an answer. Runs check this before every turn.
 *
 * @example
 * const line = shouldCompact(messages, model) ? await compact({ messages, model }) : undefined;
 */
export function shouldCompact(
  messages: readonly AgentMessage[],
  { card }: AgentModel,
  { reserveTokens = RESERVE }: CompactionLimits = {},
): boolean {
  const window = card?.contextWindow;
  if (window === undefined) return false;
  return contextTokens(messages) > window - Math.min(reserveTokens, window / 4);
}

/**
 * Has the model summarise the older part of a conversation, and returns the line to append to the log; undefined when there
 * is nothing to summarise. Nothing is stored or deleted: the appended line changes what a model is shown, and a note
 * `dragoman/undo-compaction` with its id reverts that. Fails with `agent/not-compacted`.
 *
 * @example
 * const line = await compact({ messages, model });
 * if (line !== undefined) await append([line]);
 */
export async function compact(options: CompactOptions): Promise<CompactionMessage | undefined> {
  const { messages, model, keepTokens = KEEP, signal, onLosses, now = Date.now } = options;
  const previous = lastCompaction(messages);
  const start = previous?.firstKept ?? 0;
  const window = model.card?.contextWindow;
  const keep = window === undefined ? keepTokens : Math.min(keepTokens, window / 4);
  const cut = findCut(messages, start, keep);
  if (cut === undefined) return undefined;
  const carried = previous === undefined ? undefined : carriedOver(previous, messages);
  const covered = [
    ...(carried?.messages ?? []).map(({ message }) => message),
    ...messages.slice(start, cut.index),
  ];
  // The system prompt at the start stays, so it is not summarised.
  const older = contextOf(withoutCompactions(covered)).filter(({ role }) => start > 0 || role !== "system");
  if (older.length === 0) return undefined;
  const { summary, usage } = await summarise({
    messages: older,
    previous: carried?.summary === undefined ? undefined : previous?.compaction.summary,
    model,
    signal,
    onLosses,
  });
  return {
    role: "compaction",
    summary,
    firstKeptId: cut.id,
    tokensBefore: contextTokens(messages),
    details: { model: `${model.provider}/${model.id}`, usage },
    timestamp: now(),
  };
}

interface Place {
  index: number;
  id: string;
}

/** The first message to keep: as early as the limit allows, and never between a call and its result. */
function findCut(messages: readonly AgentMessage[], start: number, keep: number): Place | undefined {
  const places = cuttingPlaces(messages, start);
  let tokens = 0;
  let end = messages.length;
  let cut = places.at(-1);
  for (const place of places.reverse()) {
    for (const message of contextOf(withoutCompactions(messages.slice(place.index, end)))) {
      tokens += estimateTokens(message);
    }
    if (tokens > keep) break;
    end = place.index;
    cut = place;
  }
  return cut;
}

/** Where a conversation can be cut: before a user message or an answer, once every earlier call has its result. */
function cuttingPlaces(messages: readonly AgentMessage[], start: number): Place[] {
  const places: Place[] = [];
  let open: string[] = [];
  for (const [index, message] of messages.entries()) {
    if (index < start) continue;
    if (message.role === "toolResult") {
      const answered = open.indexOf(message.toolCallId);
      if (answered >= 0) open.splice(answered, 1);
    }
    if (message.role !== "user" && message.role !== "assistant") continue;
    if (index > start && open.length === 0 && message.id !== undefined)
      places.push({ index, id: message.id });
    // A call without a result before the next answer never gets one.
    if (message.role === "assistant") open = callsOf(message).map(({ id }) => id);
  }
  return places;
}

function withoutCompactions(messages: readonly AgentMessage[]): AgentMessage[] {
  return messages.filter(({ role }) => role !== "compaction");
}
