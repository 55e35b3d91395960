import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { transcript } from "./transcript.js";

const BATCH = 1024 * 1024;

/** Endless transcripts, by dialect. */
const dialects: Record<string, () => Generator<string>> = { openclaw, pi };

function* openclaw(): Generator<string> {
  for (const message of transcript()) yield `${JSON.stringify(message)}\n`;
}

function* pi(): Generator<string> {
  const timestamp = "2025-01-06T09:00:00.000Z";
  yield `${JSON.stringify({ type: "session", version: 3, id: "bench", timestamp, cwd: "/home/user/project" })}\n`;
  let parentId: string | null = null;
  let count = 0;
  for (const message of transcript()) {
    const id = (count++).toString(16).padStart(8, "0");
    const entry = {
      type: "message",
      id,
      parentId,
      timestamp: new Date(message.timestamp).toISOString(),
      message,
    };
    yield `${JSON.stringify(entry)}\n`;
    parentId = id;
  }
}

/** Writes lines of this dialect until the file has at least `bytes` bytes. */
export async function writeTranscript(path: string, dialect: string, bytes: number): Promise<void> {
  const lines = dialects[dialect];
  if (lines === undefined) throw new Error(`there is no generator of ${dialect}`);
  await pipeline(batches(lines(), bytes), createWriteStream(path));
}

function* batches(lines: Generator<string>, bytes: number): Generator<string> {
  let written = 0;
  let batch = "";
  for (const line of lines) {
    batch += line;
    if (batch.length < BATCH) continue;
    yield batch;
    written += Buffer.byteLength(batch);
    if (written >= bytes) return;
    batch = "";
  }
}
