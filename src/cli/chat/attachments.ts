import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { DragomanError } from "../../core/error.js";
import type { ImageContent, UserContent, UserMessage } from "../../core/types.js";
import { systemCode } from "../../log/files/disk-error.js";
import { kindOf, SNIFFED_BYTES } from "../../tools/file-kind.js";

/** What models accept at most. */
const MAX_BYTES = 20_000_000;
const mention = /(?:^|\s)@(\S+\.(?:png|jpe?g|gif|webp))(?=$|[\s.,;:!?)])/gi;

/** Adds the images that a message names: `What is wrong in @shot.png?` A name that is not a file stays text. */
export async function withImages(message: UserMessage, folder: string): Promise<UserMessage> {
  const { content } = message;
  if (typeof content !== "string") return message;
  const images: UserContent[] = [];
  for (const [, name = ""] of content.matchAll(mention)) {
    const image = await imageAt(name, folder);
    if (image !== undefined) images.push(image);
  }
  return images.length === 0
    ? message
    : { ...message, content: [{ type: "text", text: content }, ...images] };
}

async function imageAt(name: string, folder: string): Promise<ImageContent | undefined> {
  const path = name.startsWith("~/") ? join(homedir(), name.slice(2)) : resolve(folder, name);
  const bytes = await bytesOf(path);
  if (bytes === undefined) return undefined;
  const mimeType = kindOf(bytes.subarray(0, SNIFFED_BYTES))?.image;
  if (mimeType !== undefined) return { type: "image", data: bytes.toString("base64"), mimeType };
  throw new DragomanError("cli/not-readable", `${name} is not a PNG, JPEG, GIF or WebP image`, {
    hint: "leave out the @ to send only its name",
  });
}

/** Undefined if there is no such file. */
async function bytesOf(path: string): Promise<Buffer | undefined> {
  try {
    const { size } = await stat(path);
    if (size <= MAX_BYTES) return await readFile(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  throw new DragomanError("cli/not-readable", `${path} is larger than ${MAX_BYTES / 1_000_000} MB`, {
    hint: "send a smaller image",
  });
}
