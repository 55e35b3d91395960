import type { AudioContent, FileContent, ImageContent } from "dragoman/core";
import { texts } from "../../text/texts.js";

export type Attachment = ImageContent | AudioContent | FileContent;

/** What attached files have to fit into. */
export interface AttachmentLimits {
  /** The model that reads them, and the MIME types that it accepts; undefined if unknown. */
  model?: string | undefined;
  accepts?: readonly string[] | undefined;
  /** How many base64 characters fit into the message. */
  room: number;
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
/** More than any provider accepts in one file. */
const MAX_BYTES = 10_000_000;
/** Reserved for the rest of the message. */
const RESERVED_BYTES = 100_000;
/** A pasted text of this length becomes a file. */
const LONG_PASTE = 6_000;

/** How many base64 characters still fit into one message to the gateway. */
export function roomFor(attachments: readonly Attachment[], frameBytes: number): number {
  const used = attachments.reduce((sum, { data = "" }) => sum + data.length, 0);
  return frameBytes - RESERVED_BYTES - used;
}

export interface ReadFiles {
  attachments: Attachment[];
  /** Why files were left out, in words for users. */
  problems: string[];
}

/** The files that the model accepts and that fit into the message, and why the others do not. */
export async function readFiles(files: readonly File[], limits: AttachmentLimits): Promise<ReadFiles> {
  const attachments: Attachment[] = [];
  const problems: string[] = [];
  let left = limits.room;
  for (const [at, outcome] of (
    await Promise.allSettled(files.map((file) => readFile(file, limits)))
  ).entries()) {
    if (outcome.status === "rejected") {
      problems.push(outcome.reason instanceof Error ? outcome.reason.message : String(outcome.reason));
      continue;
    }
    left -= outcome.value.data?.length ?? 0;
    if (left < 0) problems.push(texts.chat.attachments.noRoom(files[at]?.name ?? ""));
    else attachments.push(outcome.value);
  }
  return { attachments, problems };
}

/** A long pasted text as a file; undefined for a text that belongs into the field. */
export function pastedFile(text: string): File | undefined {
  if (text.length < LONG_PASTE) return undefined;
  return new File([text], `${texts.chat.attachments.pasted}.txt`, { type: "text/plain" });
}

async function readFile(
  file: File,
  { model = texts.chat.attachments.theModel, accepts }: AttachmentLimits,
): Promise<Attachment> {
  const { name, size } = file;
  if (size === 0) throw new Error(texts.chat.attachments.empty(name));
  if (size > MAX_BYTES) throw new Error(texts.chat.attachments.tooLarge(name));
  const mimeType = await typeOf(file);
  const isAccepted = accepts === undefined || matches(accepts, mimeType) || mimeType.startsWith("text/");
  if (!isAccepted) throw new Error(texts.chat.attachments.notAccepted(name, model, mimeType));
  return { type: kindOf(mimeType), data: await base64Of(file), mimeType, name };
}

function kindOf(mimeType: string): Attachment["type"] {
  if (imageTypes.includes(mimeType)) return "image";
  return mimeType.startsWith("audio/") ? "audio" : "file";
}

/** The browser's type; that of source code, JSON and other files with readable text is `text/plain`. */
async function typeOf(file: File): Promise<string> {
  const [given = ""] = file.type.split(";");
  if (imageTypes.includes(given) || given.startsWith("text/") || given === "application/pdf") return given;
  if (await isText(file)) return "text/plain";
  return given === "" ? "application/octet-stream" : given;
}

async function isText(file: File): Promise<boolean> {
  try {
    return !new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer()).includes("\0");
  } catch {
    // Not UTF-8.
    return false;
  }
}

function matches(accepted: readonly string[], type: string): boolean {
  const [kind = ""] = type.split("/");
  return [type, `${kind}/*`, "*/*"].some((one) => accepted.includes(one));
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^.*?base64,/, ""));
    reader.onerror = () => reject(new Error(texts.chat.attachments.unreadable(file.name)));
    reader.readAsDataURL(file);
  });
}
