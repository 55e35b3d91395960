import { type ApiRules, isAmong } from "../../core/api/api-rules.js";
import { typeOfBytes } from "../../core/message/media.js";
import type { Media, ModelMessage } from "../meaning/blocks.js";
import type { Refused } from "./catalogue.js";

/** The images, audio and files that the API does not accept here. */
export function* refusedMedia(
  block: Media,
  role: ModelMessage["role"],
  path: readonly (string | number)[],
  rules: ApiRules,
): Generator<Refused> {
  const types = role === "system" ? undefined : rules.media[role][block.type];
  if (types === undefined) {
    const message = `the API accepts no ${block.type} in a ${role} message`;
    yield { path, reason: "media-place", message };
    return;
  }
  const type = block.data === undefined ? block.mimeType : (typeOfBytes(block.data) ?? block.mimeType);
  if (type !== undefined && !isAmong(types, type)) {
    const message = `the API accepts ${types.join(", ")}, but this is ${type}`;
    yield { path: [...path, "mimeType"], reason: "media-type", message };
    return;
  }
  const why = block.type === "image" ? undefined : rules.refuses?.(block);
  if (why !== undefined) yield { path, reason: "media-type", message: why };
  if (block.url !== undefined && rules.urlSchemes.length === 0) {
    yield { path: [...path, "url"], reason: "media-url", message: "the API does not fetch URLs" };
  }
}
