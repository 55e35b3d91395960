import { withoutEndingSlashes } from "../../core/base-url.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { askPlatform } from "../ask-platform.js";
import type { Person } from "../types.js";
import type { Settings } from "./settings.js";

const API_ROOT = "https://api.telegram.org";

/** Who a token makes us: `getMe`. Nothing is received by it, so that it can be asked while a gateway runs. */
export async function verify(
  { token = "", apiRoot = API_ROOT }: Settings,
  fetcher: typeof fetch,
): Promise<Person> {
  if (!/^\d+:[\w-]+$/.test(token)) {
    throw new DragomanError("channel/bad-settings", "this does not look like a token of Telegram", {
      hint: "@BotFather gives one such as 123456789:AAE…",
    });
  }
  const url = `${withoutEndingSlashes(apiRoot)}/bot${token}/getMe`;
  const answer = await askPlatform({ title: "Telegram", url, secret: token, fetch: fetcher });
  const me = isObject(answer) ? answer["result"] : undefined;
  if (!isObject(me) || typeof me["id"] !== "number") {
    throw new DragomanError(
      "channel/unreachable",
      "what answers is not Telegram: it does not say who the bot is",
    );
  }
  const { id, username } = me;
  return { id: String(id), ...(typeof username === "string" ? { name: username } : {}) };
}
