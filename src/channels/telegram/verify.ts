import { withoutEndingSlashes } from "../../core/api/base-url.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { identifyBot } from "../identify-bot.js";
import type { Person } from "../types.js";
import type { Settings } from "./settings.js";

export const API_ROOT = "https://api.telegram.org";

/** The token's bot, from `getMe`. Receives nothing, so it is safe while a gateway runs. */
export async function verify(
  { token = "", apiRoot = API_ROOT }: Settings,
  fetcher: typeof fetch,
): Promise<Person> {
  if (!/^\d+:[\w-]+$/.test(token)) {
    throw new DragomanError("channel/bad-settings", "this does not look like a Telegram token", {
      hint: "tokens from @BotFather look like 123456789:AAE…",
    });
  }
  const url = `${withoutEndingSlashes(apiRoot)}/bot${token}/getMe`;
  return identifyBot({ title: "Telegram", url, secret: token, fetch: fetcher, personIn });
}

function personIn(answer: unknown): Person | undefined {
  const me = isObject(answer) ? answer["result"] : undefined;
  if (!isObject(me) || typeof me["id"] !== "number") return undefined;
  const { id, username } = me;
  return { id: String(id), ...(typeof username === "string" ? { name: username } : {}) };
}
