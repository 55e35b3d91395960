import { isObject, type JsonObject } from "../../../core/json/value.js";
import { unservable } from "../failure.js";

const MOST_PAIRS = 16;
const LONGEST_KEY = 64;
const LONGEST_VALUE = 512;

/** The metadata of a request: texts by key, within the limits of OpenAI's API. */
export function metadataOf(metadata: unknown, at: string): JsonObject {
  if (metadata === undefined || metadata === null) return {};
  if (!isObject(metadata)) throw unservable(at, "expected an object of texts");
  const entries = Object.entries(metadata);
  if (entries.length > MOST_PAIRS) throw unservable(at, `metadata has at most ${MOST_PAIRS} keys`);
  for (const [key, value] of entries) {
    if (typeof value !== "string") throw unservable(`${at}/${key}`, "expected a text");
    if (key.length > LONGEST_KEY || value.length > LONGEST_VALUE) {
      throw unservable(
        `${at}/${key}`,
        `a key has at most ${LONGEST_KEY} characters, a value ${LONGEST_VALUE}`,
      );
    }
  }
  return metadata;
}
