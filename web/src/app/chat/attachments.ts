import type { ImageContent } from "dragoman/core";

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

/** Throws an error with a text for users if a file is not a supported image or is too large. */
export async function readImages(files: readonly File[], room: number): Promise<ImageContent[]> {
  const images = await Promise.all(files.map(readImage));
  if (roomFor(images, room + RESERVED_BYTES) < 0)
    throw new Error("These attachments are too large to send together.");
  return images;
}

async function readImage(file: File): Promise<ImageContent> {
  const { name, type, size } = file;
  if (!imageTypes.includes(type))
    throw new Error(`${name} is not a supported image (PNG, JPEG, GIF or WebP).`);
  if (size > MAX_BYTES) throw new Error(`${name} is larger than 5 MB.`);
  return { type: "image", data: await base64Of(file), mimeType: type, name };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?base64,/, ""));
    reader.onerror = () => reject(new Error(`Could not read ${file.name}.`));
    reader.readAsDataURL(file);
  });
}
