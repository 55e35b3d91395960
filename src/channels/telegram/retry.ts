import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import type { ChannelState } from "../types.js";
import { isBadToken, isRefusal } from "./failure.js";

/** What no patience helps against: the state says what to do. */
export class Stopped extends Error {
  readonly state: ChannelState;

  constructor(state: ChannelState) {
    super("stopped");
    this.state = state;
  }
}

export interface RetryOptions {
  signal: AbortSignal;
  scrub(text: string): string;
  now(): number;
  onState(state: ChannelState): void;
}

/** Tries until it works, with growing pauses in between, and tells what it waits for. Rejected when it is aborted, or of no use. */
export async function retryUntilDone<T>(
  step: (attempt: number) => Promise<T>,
  { signal, scrub, now, onState }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await step(attempt);
    } catch (error) {
      signal.throwIfAborted();
      const { why, afterMs } = retryAfter(error);
      const pauseMs = pauseBefore(attempt, afterMs);
      onState({ state: "waiting", why: scrub(why), untilMs: now() + pauseMs });
      await pause(pauseMs, undefined, { signal });
    }
  }
}

function retryAfter(error: unknown): { why: string; afterMs?: number } {
  if (!isRefusal(error)) return { why: reasonOf(error) };
  if (isBadToken(error)) {
    throw new Stopped({
      state: "stopped",
      why: "Telegram does not know this token",
      hint: "ask @BotFather for the bot's token, and set it with: dragoman channels add telegram",
    });
  }
  switch (error.error_code) {
    case 400:
    case 403:
      throw new Stopped({ state: "stopped", why: `Telegram says: ${error.description}` });
    case 409:
      return { why: "another program receives this bot's messages: stop it, or give each a bot of its own" };
    case 429:
      return { why: "Telegram asks for a pause", afterMs: (error.parameters.retry_after ?? 1) * 1000 };
    default:
      return { why: `Telegram says: ${error.description}` };
  }
}
