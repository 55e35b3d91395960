/** How a log is appended to. */
export interface AppendLoad {
  name: string;
  sessions: number;
  /** Concurrent callers per session; each appends one message after another. */
  callers: number;
  appends: number;
}

/** Appends before the measurement. */
export const WARM_UP = 10;

/** Of about 1 KB as a line. */
export const message = { role: "user" as const, content: "x".repeat(930), timestamp: 1_740_000_000_000 };
export const line = JSON.stringify({ ...message, id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" });
