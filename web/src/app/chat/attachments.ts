import type { ImageContent } from "dragoman/core";

/** What every provider understands. */
export const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const MOST_BYTES = 5_000_000;
/** What else is in a message beside its images. */
const REST_BYTES = 100_000;

/** How many characters of base64 still fit into one message to the gateway. */
export function roomFor(attachments: readonly ImageContent[], frameBytes: number): number {
  const used = attachments.reduce((sum, { data = "" }) => sum + data.length, 0);
  return frameBytes - REST_BYTES - used;
}

/** Refuses, in words for people, what is no image or too large. */
export async function readImages(files: readonly File[], room: number): Promise<ImageContent[]> {
  const images = await Promise.all(files.map(readImage));
  if (roomFor(images, room + REST_BYTES) < 0)
    throw new Error("Together these are too large for one message.");
  return images;
}

async function readImage(file: File): Promise<ImageContent> {
  const { name, type, size } = file;
  if (!imageTypes.includes(type)) throw new Error(`${name} is no image (PNG, JPEG, GIF or WebP).`);
  if (size > MOST_BYTES) throw new Error(`${name} is larger than 5 MB.`);
  return { type: "image", data: await base64Of(file), mimeType: type, name };
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?base64,/, ""));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
