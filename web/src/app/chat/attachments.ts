import type { ImageContent } from "dragoman/core";
import { texts } from "../../text/texts.js";

/** The image types that every provider accepts. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const MAX_BYTES = 5_000_000;
/** Reserved for the rest of the message. */
const RESERVED_BYTES = 100_000;

/** How many base64 characters still fit into one message to the gateway. */
export function roomFor(attachments: readonly ImageContent[], frameBytes: number): number {
  const used = attachments.reduce((sum, { data = "" }) => sum + data.length, 0);
  return frameBytes - RESERVED_BYTES - used;
}

export interface ReadImages {
  images: ImageContent[];
  /** Why files were left out, in words for users. */
  problems: string[];
}

/** The files that are supported images and fit into the message, and why the others do not. */
export async function readImages(files: readonly File[], room: number): Promise<ReadImages> {
  const images: ImageContent[] = [];
  const problems: string[] = [];
  let left = room;
  for (const [at, outcome] of (await Promise.allSettled(files.map(readImage))).entries()) {
    if (outcome.status === "rejected") {
      problems.push(outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason));
      continue;
    }
    left -= outcome.value.data?.length ?? 0;
    if (left < 0) problems.push(texts.chat.attachments.noRoom(files[at]?.name ?? ""));
    else images.push(outcome.value);
  }
  return { images, problems };
}

async function readImage(file: File): Promise<ImageContent> {
  const { name, type, size } = file;
  if (!imageTypes.includes(type)) throw new Error(texts.chat.attachments.notSupported(name));
  if (size > MAX_BYTES) throw new Error(texts.chat.attachments.tooLarge(name));
  return { type: "image", data: await base64Of(file), mimeType: type, name };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?base64,/, ""));
    reader.onerror = () => reject(new Error(texts.chat.attachments.unreadable(file.name)));
    reader.readAsDataURL(file);
  });
}
