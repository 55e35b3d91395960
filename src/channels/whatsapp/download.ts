import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { fetchFile } from "../fetch-file.js";
import { tooLarge } from "../read-body.js";
import type { Attachment } from "../types.js";

const HOST = "mmg.whatsapp.net";
const MAC_BYTES = 10;
const BLOCK_BYTES = 16;

const keyNames = { image: "Image", audio: "Audio", video: "Video", document: "Document" } as const;

export interface Download {
  fetch: typeof fetch;
  mostBytes: number;
  signal: AbortSignal;
  /** Files may also come from this host. */
  socketUrl: string | undefined;
}

/**
 * Downloads and decrypts a file; the key is in the message. Not with Baileys, which downloads from any host the sender names,
 * and whose broken downloads end the process.
 */
export async function download(
  { kind, handle, bytes = 0 }: Attachment,
  options: Download,
): Promise<{ bytes: Uint8Array }> {
  const { mostBytes, signal, fetch } = options;
  if (bytes > mostBytes) throw tooLarge(mostBytes);
  const { url, key } = readHandle(handle, options.socketUrl);
  const encrypted = await fetchFile({ url, fetch, signal, mostBytes: mostBytes + BLOCK_BYTES + MAC_BYTES });
  const whole = decrypt(encrypted.bytes, key, keyNames[kind]);
  if (whole.length > mostBytes) throw tooLarge(mostBytes);
  return { bytes: whole };
}

/** The sender controls the handle, so only WhatsApp's own servers are accepted. */
function readHandle(handle: string, socketUrl: string | undefined): { url: URL; key: Buffer } {
  const value: unknown = JSON.parse(handle);
  const { url, directPath, mediaKey } = isObject(value) ? value : {};
  if (typeof mediaKey !== "string") throw noFile("the message has no key for it");
  const key = Buffer.from(mediaKey, "base64");
  if (typeof directPath === "string" && directPath.startsWith("/")) {
    return { url: new URL(`https://${HOST}${directPath}`), key };
  }
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  const isTheirs = address?.protocol === "https:" && address.hostname.endsWith(".whatsapp.net");
  const isLocal = socketUrl !== undefined && address?.host === new URL(socketUrl).host;
  if (address === undefined || !(isTheirs || isLocal)) throw noFile("it is not on WhatsApp's servers");
  return { url: address, key };
}

/** `ciphertext mac`, with keys derived from the message's key. */
function decrypt(body: Uint8Array, key: Buffer, keyName: string): Buffer {
  const keys = Buffer.from(hkdfSync("sha256", key, "", `WhatsApp ${keyName} Keys`, 112));
  const [iv, cipherKey, macKey] = [keys.subarray(0, 16), keys.subarray(16, 48), keys.subarray(48, 80)];
  const ciphertext = body.subarray(0, -MAC_BYTES);
  const mac = createHmac("sha256", macKey).update(iv).update(ciphertext).digest().subarray(0, MAC_BYTES);
  const theirs = body.subarray(-MAC_BYTES);
  if (theirs.length !== MAC_BYTES || !timingSafeEqual(mac, theirs)) throw noFile("it is damaged");
  const decipher = createDecipheriv("aes-256-cbc", cipherKey, iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

function noFile(why: string): DragomanError {
  return new DragomanError("channel/no-file", `could not download the file: ${why}`);
}
