import { withoutEndingSlashes } from "../../core/api/base-url.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { identifyBot } from "../identify-bot.js";
import type { Person } from "../types.js";
import type { Settings } from "./settings.js";

export const API_ROOT = "https://discord.com/api";

/** The token's bot. Receives nothing, so it is safe while a gateway runs. */
export async function verify(
  { token = "", apiRoot = API_ROOT }: Settings,
  fetcher: typeof fetch,
): Promise<Person> {
  if (!/^[\w.-]+$/.test(token)) {
    throw new DragomanError("channel/bad-settings", "this does not look like a Discord token", {
      hint: "find it under Bot in Discord's developer portal; it has three parts separated by dots",
    });
  }
  return identifyBot({
    title: "Discord",
    url: `${withoutEndingSlashes(apiRoot)}/v10/users/@me`,
    headers: { authorization: `Bot ${token}` },
    secret: token,
    fetch: fetcher,
    personIn,
  });
}

function personIn(answer: unknown): Person | undefined {
  if (!isObject(answer) || typeof answer["id"] !== "string") return undefined;
  const { id, username } = answer;
  return { id, ...(typeof username === "string" ? { name: username } : {}) };
}
