/** How a log is appended to. */
export interface AppendLoad {
  name: string;
  sessions: number;
  /** Concurrent callers per session; each appends one message after another. */
  callers: number;
  appends: number;
}

/** Appends before the measurement: a gateway runs for days, so its code is warm. After 3,000 it is still being compiled. */
const WARM_UP = 20_000;
/** Of each caller at most, because a single caller waits for the disk each time. */
const WARM_UP_ROUNDS = 6_000;

/** The wall-clock milliseconds of a load: most of the time is spent waiting for the disk or the server. */
export async function timeOf(
  { callers, appends }: AppendLoad,
  sessions: readonly (() => Promise<unknown>)[],
  warmUpAppends = WARM_UP,
): Promise<number> {
  const everyone = sessions.flatMap((append) => Array.from({ length: callers }, () => append));
  const repeat = async (append: () => Promise<unknown>, count: number) => {
    for (let index = 0; index < count; index++) await append();
  };
  const warmUp = Math.min(WARM_UP_ROUNDS, Math.ceil(warmUpAppends / everyone.length));
  await Promise.all(everyone.map((append) => repeat(append, warmUp)));
  const start = performance.now();
  await Promise.all(everyone.map((append) => repeat(append, appends)));
  return performance.now() - start;
}

/** Of about 1 KB as a line. */
export const message = { role: "user" as const, content: "x".repeat(930), timestamp: 1_740_000_000_000 };
export const line = JSON.stringify({ ...message, id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
