import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { copilotCliLines, cursorLines, geminiCliLines, qwenCodeLines } from "./agent-lines.js";
import { claudeCodeLines } from "./claude-code-lines.js";
import { codexLines } from "./codex-lines.js";
import { transcript } from "./transcript.js";

const BATCH = 1024 * 1024;

/** Endless transcripts, by dialect. */
const dialects: Record<string, () => Generator<object>> = {
  openclaw: transcript,
  pi: piLines,
  "claude-code": claudeCodeLines,
  codex: codexLines,
  "qwen-code": qwenCodeLines,
  "gemini-cli": geminiCliLines,
  "copilot-cli": copilotCliLines,
  cursor: cursorLines,
};

function* piLines(): Generator<object> {
  const timestamp = "2025-01-06T09:00:00.000Z";
  yield { type: "session", version: 3, id: "bench", timestamp, cwd: "/home/user/project" };
  let parentId: string | null = null;
  let count = 0;
  for (const message of transcript()) {
    const id = (count++).toString(16).padStart(8, "0");
    yield { type: "message", id, parentId, timestamp: new Date(message.timestamp).toISOString(), message };
    parentId = id;
  }
}

/** Writes lines of this dialect until the file has at least `bytes` bytes. */
export async function writeTranscript(path: string, dialect: string, bytes: number): Promise<void> {
  const lines = dialects[dialect];
  if (lines === undefined) throw new Error(`there is no generator of ${dialect}`);
  await pipeline(batches(lines(), bytes), createWriteStream(path));
}

function* batches(lines: Generator<object>, bytes: number): Generator<string> {
  let written = 0;
  let batch = "";
  for (const line of lines) {
    batch += `${JSON.stringify(line)}\n`;
    if (batch.length < BATCH) continue;
    yield batch;
    written += Buffer.byteLength(batch);
    if (written >= bytes) return;
    batch = "";
  }
}
