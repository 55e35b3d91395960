import type { JsonObject } from "../../../src/core/json/value.js";
import { parseTelegramHtml, type TelegramText } from "../telegram-html.js";
import { Refused, refuseIf } from "./refusal.js";

/** A text as it is shown, or the refusal. Limits count UTF-16 units of what is shown. */
export function messageText(fields: JsonObject): TelegramText {
  refuseIf(fields["text"] === undefined || fields["text"] === "", "Bad Request: message text is empty");
  const shown = parsed(fields["text"], fields["parse_mode"]);
  refuseIf(shown.text === "", "Bad Request: text must be non-empty");
  refuseIf(shown.text.length > 4096, "Bad Request: message is too long");
  return shown;
}

export function captionText(fields: JsonObject): TelegramText {
  if (fields["caption"] === undefined) return { text: "", entities: [] };
  const shown = parsed(fields["caption"], fields["parse_mode"]);
  refuseIf(shown.text.length > 1024, "Bad Request: message caption is too long");
  return shown;
}

function parsed(text: unknown, mode: unknown): TelegramText {
  if (typeof text !== "string") throw new Refused("Bad Request: text must be a string");
  if (mode === undefined) return { text: text.trim(), entities: [] };
  refuseIf(mode !== "HTML", "Bad Request: unsupported parse_mode");
  const shown = parseTelegramHtml(text);
  if ("error" in shown) throw new Refused(shown.error);
  // The service takes white space from both ends; entities move with what is taken from the front.
  const front = shown.text.length - shown.text.trimStart().length;
  const entities = shown.entities.map((entity) => ({
    ...entity,
    offset: Math.max(0, entity.offset - front),
  }));
  return { text: shown.text.trim(), entities };
}
