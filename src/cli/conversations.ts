import {
  type Conversation,
  chooseConversation,
  listConversations,
  requireConversations,
  startOf,
} from "../convert/conversations.js";
import { manyConversations } from "../core/records/sole-conversation.js";
import { type Input, rereadable } from "./files/input.js";
import { reportLine } from "./terminal/report-line.js";
import { shownLine } from "./terminal/shown-text.js";
import { counted, table } from "./terminal/table.js";
import type { Transcript } from "./transcript.js";

/** The conversation that `wanted` names. Without a name, a file with several is refused with a list of them. */
export async function pickConversation(
  transcript: Transcript,
  wanted: string | undefined,
): Promise<Transcript> {
  const { dialect } = transcript;
  requireConversations(dialect);
  const input = await rereadable(transcript.input);
  const all = await listConversations(input.open(), dialect);
  if (wanted === undefined && all.length > 1) {
    for (const line of conversationLines(all)) reportLine(line);
    throw manyConversations(all.length);
  }
  if (wanted === undefined) return { input, dialect };
  const chosen = chooseConversation(all, wanted);
  if (all.length === 1) return { input, dialect };
  return { input: section(input, chosen), dialect, start: startOf(chosen) };
}

/** One line for each: number, date, number of messages, title. */
function conversationLines(all: readonly Conversation[]): string[] {
  return table(
    all.map(({ number, created, messages, title = "(untitled)" }) => [
      String(number),
      created === undefined ? "" : dateOf(created),
      counted(messages, "message"),
      shownLine(title),
    ]),
  );
}

function dateOf(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString().slice(0, 10);
}

/** An input with only these bytes of another one. */
function section(input: Input, { offset, length }: Conversation): Input {
  return { ...input, size: length, open: () => sectionOf(input.open(), offset, offset + length) };
}

async function* sectionOf(
  source: AsyncIterable<Uint8Array>,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of source) {
    const part = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += chunk.length;
    if (part.length > 0) yield part;
    if (at >= to) return;
  }
}
