import { wordsOf } from "../../core/error.js";
import type { ChannelOptions } from "../types.js";
import type { Call } from "./client.js";
import { isRefusal } from "./failure.js";
import { chatOf, personOf } from "./normalise.js";
import type { TelegramUpdate } from "./wire.js";

/** The longest notice that Telegram shows. */
const MOST_UNITS = 200;

type CallbackQuery = NonNullable<TelegramUpdate["callback_query"]>;

/**
 * Handles a pressed button, and answers Telegram: otherwise the button keeps showing progress. Rejects only if the choice could
 * not be stored; then Telegram sends it again.
 */
export async function acceptChoice(
  { id, from, data, message }: CallbackQuery,
  call: Call,
  { choose, onUnread }: Pick<ChannelOptions<unknown>, "choose" | "onUnread">,
): Promise<void> {
  const place = message === undefined ? undefined : chatOf(message);
  const isKnown = place !== undefined && data !== undefined && from.is_bot !== true;
  const text = isKnown ? await choose({ place, sender: personOf(from), data }) : "";
  try {
    await call("answerCallbackQuery", {
      callback_query_id: id,
      ...(text === "" ? {} : { text: text.slice(0, MOST_UNITS) }),
    });
  } catch (error) {
    // The choice counts; Telegram refuses answers that come too late.
    if (!isRefusal(error)) onUnread(`a button's notice could not be shown: ${wordsOf(error)}`);
  }
}
