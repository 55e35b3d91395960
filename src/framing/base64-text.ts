import { isBase64 } from "../core/message/media.js";
import { decodeUtf8 } from "./utf8.js";

/** A text's UTF-8 bytes as base64. */
export function textToBase64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** The text of base64 bytes; undefined if they are not UTF-8, or the text is not base64. */
export function base64ToText(data: string): string | undefined {
  if (data !== "" && !isBase64(data)) return undefined;
  return decodeUtf8(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
}
