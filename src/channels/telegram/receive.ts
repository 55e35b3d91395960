import { isObject } from "../../core/json/value.js";
import type { ChannelState } from "../types.js";
import type { Me } from "./addressed.js";
import type { Call } from "./client.js";
import { type RetryOptions, retryUntilDone, Stopped } from "./retry.js";

const ALLOWED_UPDATES = [
  "message",
  "edited_message",
  "channel_post",
  "edited_channel_post",
  "callback_query",
] as const;

/** How long Telegram holds a long poll, and when we consider the connection dead. */
const POLL_SECONDS = 30;
const DEAD_MS = (POLL_SECONDS + 15) * 1000;

export interface ReceiveOptions extends RetryOptions {
  call: Call;
  /** Where Telegram calls us, with its secret; undefined to poll. */
  webhook: { url: string; secret_token: string } | undefined;
  /** Called once the bot is known. */
  onMe(me: Me): void;
  /** Resolves when the update is stored. */
  accept(update: unknown, me: Me): Promise<void>;
}

/** Receives until aborted or stopped. */
export async function receiveUpdates(options: ReceiveOptions): Promise<void> {
  const { call, webhook, signal, onState } = options;
  onState({ state: "connecting" });
  try {
    const me = await retryUntilDone(async () => botOf(await call("getMe", {})), options);
    options.onMe(me);
    const { id, username: name } = me;
    const person = { id: String(id), ...(name !== undefined && { name }) };
    const connected: ChannelState = { state: "connected", me: person };
    if (webhook === undefined) {
      await retryUntilDone(() => call("deleteWebhook", {}), options);
      onState(connected);
      await pollUpdates(options, me, connected);
    } else {
      await retryUntilDone(
        () => call("setWebhook", { ...webhook, allowed_updates: ALLOWED_UPDATES }),
        options,
      );
      onState(connected);
    }
  } catch (error) {
    if (error instanceof Stopped) onState(error.state);
    else if (!signal.aborted) throw error;
  }
}

async function pollUpdates(
  { call, accept, ...retry }: ReceiveOptions,
  me: Me,
  connected: ChannelState,
): Promise<never> {
  let offset = 0;
  while (true) {
    offset = await retryUntilDone(async (attempt) => {
      // After a failure, poll without waiting, to see at once whether it is over.
      const timeout = attempt === 0 ? POLL_SECONDS : 0;
      const parameters = { offset, timeout, allowed_updates: ALLOWED_UPDATES };
      const updates = updatesOf(await call("getUpdates", parameters, DEAD_MS));
      const outcomes = await Promise.allSettled(updates.map((update) => accept(update, me)));
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      if (failed !== undefined) throw failed.reason;
      if (attempt > 0) retry.onState(connected);
      // The next poll's offset acknowledges all of them.
      return updates.reduce((next, { update_id }) => Math.max(next, update_id + 1), offset);
    }, retry);
  }
}

function botOf(answer: unknown): Me {
  if (!isObject(answer) || typeof answer["id"] !== "number")
    throw new Error("unexpected reply from Telegram: it does not name the bot");
  const { id, username } = answer;
  return { id, ...(typeof username === "string" && { username }) };
}

function updatesOf(answer: unknown): { update_id: number }[] {
  const isUpdate = (item: unknown): item is { update_id: number } =>
    isObject(item) && typeof item["update_id"] === "number";
  if (!Array.isArray(answer) || !answer.every(isUpdate))
    throw new Error("unexpected reply from Telegram: no updates");
  return answer;
}
