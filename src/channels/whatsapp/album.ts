import { isObject } from "../../core/json/value.js";
import { type Content, contextOf, type Fields, levelsOf } from "./content.js";

const MEDIA_ALBUM: readonly unknown[] = [1, "MEDIA_ALBUM"];

/**
 * The id of the message that announces the album of a picture or video.
 *
 *     {"imageMessage": {…}, "messageContextInfo": {"messageAssociation": {"associationType": "MEDIA_ALBUM", "parentMessageKey": {"id": "A1"}}}}
 */
export function albumIdOf(message: unknown): string | undefined {
  for (const { messageContextInfo: info } of levelsOf(message)) {
    const association = isObject(info) ? info["messageAssociation"] : undefined;
    if (!isObject(association) || !MEDIA_ALBUM.includes(association["associationType"])) continue;
    const { parentMessageKey: parent } = association;
    if (isObject(parent) && typeof parent["id"] === "string" && parent["id"] !== "") return parent["id"];
  }
  return undefined;
}

/** The content of the message that announces an album. */
export interface Album extends Pick<Content, "quoted" | "mentioned"> {
  /** The number of pictures and videos. */
  size?: number;
}

/** Undefined for any other message. */
export function albumOf(message: unknown): Album | undefined {
  const album = levelsOf(message).at(-1)?.["albumMessage"];
  if (!isObject(album)) return undefined;
  const size = countOf(album, "expectedImageCount") + countOf(album, "expectedVideoCount");
  return { ...contextOf(album), ...(size > 0 && { size }) };
}

function countOf(album: Fields, name: string): number {
  const count = album[name];
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? count : 0;
}
