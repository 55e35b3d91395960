import { DragomanError } from "../../core/error.js";
import { newId } from "../../core/ids.js";
import { type Person, SendError } from "../types.js";
import { post } from "./post.js";
import type { Settings } from "./settings.js";
import { checkedSettings } from "./transport.js";

/** Posts a signed `{"id":…,"test":true}`; any 2xx reply will do. */
export async function verify(settings: Settings, fetcher: typeof fetch): Promise<Person> {
  const { secret, url } = checkedSettings(settings);
  if (url === undefined) return { id: "webhook" };
  const key = newId();
  try {
    await post({ id: key, test: true }, { url, secret, key, fetch: fetcher, now: Date.now });
  } catch (error) {
    if (!(error instanceof SendError)) throw error;
    throw new DragomanError(
      error.fate === "refused" ? "channel/refused" : "channel/unreachable",
      error.message,
      { hint: "the receiver must answer a signed request with 2xx", cause: error },
    );
  }
  return { id: new URL(url).host };
}
