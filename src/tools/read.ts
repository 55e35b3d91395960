import { isUtf8 } from "node:buffer";
import { type FileHandle, opendir } from "node:fs/promises";
import * as Type from "@sinclair/typebox";
import type { Tool, ToolOutput } from "../agent/types.js";
import { DragomanError } from "../core/error.js";
import type { Opened } from "./anchor.js";
import { type FileKind, kindOf, SNIFFED_BYTES } from "./file-kind.js";
import { type LineWindow, readLineWindow } from "./line-window.js";
import type { Workspace } from "./workspace.js";

export interface ReadLimits {
  /** Lines in one result, whatever `limit` is. */
  maxLines: number;
  /** Bytes of text in one result. */
  maxBytes: number;
  maxImageBytes: number;
  /** Names in one directory listing. */
  maxEntries: number;
}

// An image of 3.75 MB is 5 MB in base64, the strictest provider's limit.
const defaults: ReadLimits = { maxLines: 2000, maxBytes: 50_000, maxImageBytes: 3_750_000, maxEntries: 500 };
const MAX_COUNTED_BYTES = 64 * 2 ** 20;

const parameters = Type.Object({
  file_path: Type.String({ description: "The file, relative to the workspace or absolute inside of it." }),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: "The first line to read, counted from 1." })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: "How many lines to read." })),
});

export type ReadDetails = { file_path: string } & (
  | { kind: "text"; firstLine: number; lines: number; totalLines?: number }
  | { kind: "image"; mimeType: string; bytes: number }
  | { kind: "directory"; entries: number }
);

/** Reads text and images, and lists directories. The model gets the exact text, so that `edit` can match it. */
export function readTool(
  workspace: Workspace,
  options: Partial<ReadLimits> = {},
): Tool<typeof parameters, ReadDetails> {
  const limits = { ...defaults, ...options };
  return {
    name: "read",
    description:
      `Reads a text file or an image (PNG, JPEG, GIF, WebP), or lists a directory. Text is returned as it is, without line ` +
      `numbers, at most ${limits.maxLines} lines or ${limits.maxBytes} bytes at a time; a note at the end gives the next offset.`,
    parameters,
    subjectKind: "path",
    subject: ({ file_path }) => workspace.subject(file_path),
    async execute({ file_path, offset = 1, limit = limits.maxLines }, { signal }) {
      const location = workspace.locate(file_path);
      return workspace.open(location, async (opened) => {
        if (opened.info.isDirectory()) return listDirectory(file_path, opened, limits.maxEntries);
        const kind = kindOf(await beginningOf(opened.handle));
        if (kind !== undefined) return readImage(file_path, opened, kind, limits.maxImageBytes);
        const firstLine = Math.max(1, offset);
        const maxLines = Math.min(limit, limits.maxLines);
        const window = await readLineWindow(
          opened.handle,
          { firstLine, maxLines, maxBytes: limits.maxBytes, maxCountedBytes: MAX_COUNTED_BYTES },
          signal,
        );
        return textOutput(file_path, firstLine, window);
      });
    },
  };
}

async function listDirectory(
  file_path: string,
  { steadyPath }: Opened,
  max: number,
): Promise<ToolOutput<ReadDetails>> {
  const names: string[] = [];
  let more = false;
  for await (const entry of await opendir(steadyPath)) {
    more = names.length === max;
    if (more) break;
    names.push(`${entry.name}${entry.isDirectory() ? "/" : entry.isSymbolicLink() ? "@" : ""}`);
  }
  names.sort();
  const note = more
    ? `[only ${max} names are shown; the directory has more]`
    : "[a directory; read one of its files]";
  return {
    content: [...names, note].join("\n"),
    details: { file_path, kind: "directory", entries: names.length },
  };
}

async function beginningOf(handle: FileHandle): Promise<Buffer> {
  const buffer = Buffer.alloc(SNIFFED_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, SNIFFED_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

async function readImage(
  file_path: string,
  { handle, info }: Opened,
  kind: FileKind,
  maxBytes: number,
): Promise<ToolOutput<ReadDetails>> {
  const mimeType = kind.image;
  if (mimeType === undefined) throw notText(file_path, kind.name);
  if (info.size > maxBytes) {
    throw new DragomanError(
      "tools/too-large",
      `"${file_path}" is ${kind.name} of ${info.size} bytes; the limit is ${maxBytes}. Make it smaller first`,
    );
  }
  const data = Buffer.alloc(info.size);
  const { bytesRead } = await handle.read(data, 0, info.size, 0);
  return {
    content: [
      { type: "text", text: `[${file_path}: ${kind.name}]` },
      { type: "image", mimeType, data: data.toString("base64", 0, bytesRead) },
    ],
    details: { file_path, kind: "image", mimeType, bytes: bytesRead },
  };
}

function textOutput(file_path: string, firstLine: number, window: LineWindow): ToolOutput<ReadDetails> {
  const { bytes, lines, totalLines } = window;
  if (bytes.includes(0)) throw notText(file_path, "a binary file");
  const total = totalLines === undefined ? {} : { totalLines };
  // The byte order mark is not part of the text; edit keeps it.
  const text = firstLine === 1 ? bytes.toString("utf8").replace(/^\ufeff/, "") : bytes.toString("utf8");
  const notes = [
    ...(isUtf8(bytes) ? [] : ["bytes that are not UTF-8 are shown as \ufffd; edit cannot change this file"]),
    ...noteOf(firstLine, window),
  ];
  return {
    content: [
      ...(text === "" ? [] : [{ type: "text" as const, text }]),
      ...(notes.length === 0 ? [] : [{ type: "text" as const, text: `[${notes.join("; ")}]` }]),
    ],
    details: { file_path, kind: "text", firstLine, lines, ...total },
  };
}

function noteOf(firstLine: number, { lines, nextLine, totalLines, cutInLine }: LineWindow): string[] {
  if (totalLines === 0) return ["the file is empty"];
  if (lines === 0) return [`line ${firstLine} does not exist: the file has ${totalLines} lines`];
  const total = totalLines === undefined ? "more" : `${totalLines}`;
  const next = nextLine === undefined ? [] : [`continue with offset ${nextLine}`];
  if (cutInLine) return [`line ${firstLine} of ${total} is too long: only its beginning is shown`, ...next];
  return nextLine === undefined ? [] : [`cut after line ${nextLine - 1} of ${total}`, ...next];
}

function notText(file_path: string, kind: string): DragomanError {
  return new DragomanError("tools/not-text", `"${file_path}" is ${kind}; it cannot be read as text`, {
    hint: "use exec with a program that understands it",
  });
}
