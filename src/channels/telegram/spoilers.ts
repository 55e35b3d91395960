import type { TelegramEntity, TelegramMessage } from "./wire.js";

type FormattedText = Pick<TelegramMessage, "text" | "entities" | "caption" | "caption_entities">;

/** A message's text or caption, with spoilers in Markdown. */
export function textOf({ text, entities, caption, caption_entities }: FormattedText): string | undefined {
  if (text !== undefined) return withSpoilers(text, entities);
  return caption === undefined ? undefined : withSpoilers(caption, caption_entities);
}

/**
 * Telegram gives spoilers as ranges of UTF-16 units. A spoiler with other formatting inside comes as several adjacent ranges.
 *
 *     withSpoilers("It was Bob", [{ type: "spoiler", offset: 7, length: 3 }]) // "It was ||Bob||"
 */
export function withSpoilers(text: string, entities: readonly TelegramEntity[] = []): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end } of hiddenRanges(entities, text.length)) {
    parts.push(text.slice(at, start), "||", text.slice(start, end), "||");
    at = end;
  }
  return parts.join("") + text.slice(at);
}

function hiddenRanges(entities: readonly TelegramEntity[], most: number): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  const spoilers = entities.filter(({ type }) => type === "spoiler");
  for (const { offset, length } of spoilers.toSorted((a, b) => a.offset - b.offset)) {
    const [start, end] = [Math.max(0, offset), Math.min(most, offset + length)];
    const last = ranges.at(-1);
    if (end <= start) continue;
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}
