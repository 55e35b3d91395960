import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { convertStream } from "../convert/convert.js";
import { detectOne, load, SAMPLE_BYTES } from "../convert/detect.js";
import type { TextStart } from "../convert/read.js";
import type { Dialect } from "../core/dialect.js";
import type { AgentMessage, Loss } from "../core/types.js";
import { parse } from "../core/validate.js";
import { decodeLine, LineSplitter } from "../framing/lines.js";
import { joinSession } from "./companions/companions.js";

export interface TranscriptOptions {
  /** The last message of the branch to read. */
  leaf?: string;
  onLoss?: (loss: Loss) => void;
  /** Where the source starts in the file that it was cut out of, for places. */
  start?: TextStart | undefined;
}

/** The messages of a transcript in any dialect. Only one branch is read, because a log has no branches. */
export async function* transcriptMessages(
  open: () => AsyncIterable<Uint8Array>,
  from: Dialect,
  options: TranscriptOptions = {},
): AsyncGenerator<AgentMessage> {
  const lines = new LineSplitter();
  const to = { ...(await load("openclaw")), branches: false };
  for await (const chunk of convertStream(open, { ...options, from, to, escrow: false })) {
    for (const line of lines.push(chunk)) yield messageOf(decodeLine(line));
  }
  for (const line of lines.finish()) yield messageOf(decodeLine(line));
}

/** The messages of a file, and of the session's other files. */
export async function* fileMessages(
  path: string,
  dialect: Dialect,
  options: TranscriptOptions = {},
): AsyncGenerator<AgentMessage> {
  const joined = await joinSession(path, dialect.name);
  yield* transcriptMessages(joined?.open ?? (() => createReadStream(path)), dialect, options);
  for (const loss of joined?.missing() ?? []) options.onLoss?.(loss);
}

/** The dialect that is detected in a file. */
export async function fileDialect(path: string): Promise<Dialect> {
  return load(await detectOne(await readSample(path)));
}

function messageOf(line: string): AgentMessage {
  return parse("AgentMessage", JSON.parse(line));
}

async function readSample(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
