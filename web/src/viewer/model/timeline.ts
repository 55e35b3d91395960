import { type AgentMessage, isSynthesised } from "dragoman/core";

/** A message on the timeline. Values missing from the source are undefined, never zero. */
export interface Moment {
  /** The message's index in the transcript. */
  index: number;
  role: string;
  time: number | undefined;
  tokens: number | undefined;
  /** In dollars. */
  cost: number | undefined;
  /** Since the previous message. */
  durationMs: number | undefined;
  /** The time passed while the agent waited for the user. */
  waiting: boolean;
}

export function momentsOf(messages: readonly AgentMessage[], path: readonly number[]): Moment[] {
  let last: number | undefined;
  return path.flatMap((index) => {
    const message = messages[index];
    if (message === undefined) return [];
    const time = timeOf(message);
    const durationMs = time === undefined || last === undefined || time < last ? undefined : time - last;
    last = time ?? last;
    return [
      {
        index,
        role: message.role,
        time,
        ...spendingOf(message),
        durationMs,
        waiting: message.role === "user",
      },
    ];
  });
}

/** The message's time; undefined if the timestamp is synthesised. */
export function timeOf(message: AgentMessage): number | undefined {
  return isSynthesised(message, "/timestamp") || !Number.isFinite(message.timestamp)
    ? undefined
    : message.timestamp;
}

function spendingOf(message: AgentMessage): Pick<Moment, "tokens" | "cost"> {
  if (message.role !== "assistant" || isSynthesised(message, "/usage")) {
    return { tokens: undefined, cost: undefined };
  }
  const { totalTokens, cost } = message.usage;
  return { tokens: totalTokens, cost: isSynthesised(message, "/usage/cost/total") ? undefined : cost.total };
}

export interface Totals {
  messages: number;
  tokens: number;
  cost: number;
  /** How long the agent worked. */
  busyMs: number;
}

export function totalsOf(moments: readonly Moment[]): Totals {
  const totals = { messages: moments.length, tokens: 0, cost: 0, busyMs: 0 };
  for (const { tokens = 0, cost = 0, durationMs = 0, waiting } of moments) {
    totals.tokens += tokens;
    totals.cost += cost;
    if (!waiting) totals.busyMs += durationMs;
  }
  return totals;
}

export const measures = ["tokens", "cost", "durationMs"] as const;
export type Measure = (typeof measures)[number];

/** Moments drawn as one bar. */
export interface Column {
  /** Their positions on the timeline; `end` is exclusive. */
  start: number;
  end: number;
  tokens: number;
  cost: number;
  durationMs: number;
}

/** At most `count` columns with about the same number of moments each. */
export function columnsOf(moments: readonly Moment[], count: number): Column[] {
  const columns = Math.min(count, moments.length);
  return Array.from({ length: columns }, (_, column) => {
    const start = Math.floor((column * moments.length) / columns);
    const end = Math.floor(((column + 1) * moments.length) / columns);
    const sums = { tokens: 0, cost: 0, durationMs: 0 };
    for (const moment of moments.slice(start, end)) {
      for (const measure of measures) {
        // The user's pauses would dwarf everything else.
        if (measure !== "durationMs" || !moment.waiting) sums[measure] += moment[measure] ?? 0;
      }
    }
    return { start, end, ...sums };
  });
}
