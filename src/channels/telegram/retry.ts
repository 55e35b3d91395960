import { setTimeout as pause } from "node:timers/promises";
import { reasonOf } from "../network-failure.js";
import { pauseBefore } from "../pauses.js";
import type { ChannelState } from "../types.js";
import { isBadToken, isRefusal } from "./failure.js";

/** A failure that retrying cannot fix. The state explains what to do. */
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

/** Retries with growing pauses and reports the reason. Rejects when aborted, or with `Stopped`. */
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
      const { why, afterMs } = retryReason(error);
      const pauseMs = pauseBefore(attempt, afterMs);
      onState({ state: "waiting", why: scrub(why), untilMs: now() + pauseMs });
      await pause(pauseMs, undefined, { signal });
    }
  }
}

function retryReason(error: unknown): { why: string; afterMs?: number } {
  if (!isRefusal(error)) return { why: reasonOf(error) };
  if (isBadToken(error)) {
    throw new Stopped({
      state: "stopped",
      why: "Telegram does not accept this token",
      hint: "get the bot's token from @BotFather and set it with: dragoman channels add telegram",
    });
  }
  switch (error.error_code) {
    case 400:
    case 403:
      throw new Stopped({ state: "stopped", why: `Telegram replied: ${error.description}` });
    case 409:
      return {
        why: "another program is receiving this bot's messages: stop it, or use a separate bot for each",
      };
    case 429:
      return { why: "rate limited by Telegram", afterMs: (error.parameters.retry_after ?? 1) * 1000 };
    default:
      return { why: `Telegram replied: ${error.description}` };
  }
}
