import type { ConversationInfo, Dialect } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { manyConversations } from "../core/records/sole-conversation.js";
import { ArraySplitter, type Member } from "../framing/array-splitter.js";
import type { TextStart } from "./read.js";

/** A conversation of a file, and where its text is. */
export interface Conversation extends ConversationInfo, Omit<Member, "bytes"> {
  /** From 1. */
  number: number;
  /** In bytes. */
  length: number;
}

/** A conversation with its text. */
export interface ConversationText extends Conversation {
  bytes: Uint8Array;
}

/** The conversations of a file, one at a time: only one is in memory. */
export async function* readConversations(
  source: AsyncIterable<Uint8Array>,
  { framing }: Dialect,
): AsyncGenerator<ConversationText> {
  const splitter = new ArraySplitter();
  const describe = framing.kind === "document" ? framing.conversation : undefined;
  const described = (member: Member): ConversationText => ({
    ...member,
    length: member.bytes.length,
    number: (member.index ?? 0) + 1,
    ...(describe?.(parsedMember(member)) ?? { messages: 0 }),
  });
  for await (const chunk of source) yield* splitter.push(chunk).map(described);
  yield* splitter.finish().map(described);
}

/** The same without their texts. */
export async function listConversations(
  source: AsyncIterable<Uint8Array>,
  from: Dialect,
): Promise<Conversation[]> {
  const all: Conversation[] = [];
  for await (const { bytes: _, ...one } of readConversations(source, from)) all.push(one);
  return all;
}

/** Where the conversation starts in its file; undefined if it is all of the file. */
export function startOf({ index, line, column }: Conversation): TextStart | undefined {
  return index === undefined ? undefined : { at: `/${index}`, line, column };
}

/** The conversation with this id, this title or this number. Throws if there is none, or more than one. */
export function chooseConversation(all: readonly Conversation[], wanted: string): Conversation {
  const found = [
    all.filter(({ id }) => id === wanted),
    all.filter(({ title }) => title === wanted),
    all.filter(({ number }) => String(number) === wanted),
    all.filter(({ title }) => title?.toLowerCase() === wanted.toLowerCase()),
  ].find((matches) => matches.length > 0);
  const [first, second] = found ?? [];
  if (first === undefined) {
    throw new DragomanError(
      "convert/no-conversation",
      `no conversation has the id, title or number "${wanted}"`,
      {
        hint: `pass a number from 1 to ${all.length}`,
      },
    );
  }
  if (second === undefined) return first;
  const numbers = found?.map(({ number }) => number).join(", ");
  throw new DragomanError("convert/no-conversation", `several conversations are called "${wanted}"`, {
    hint: `pass one of their numbers: ${numbers}`,
  });
}

/** One conversation of a file that is in memory; all of a file that holds only one. */
export async function cutConversation(
  bytes: Uint8Array,
  from: Dialect,
  wanted: string | undefined,
): Promise<{ bytes: Uint8Array; start: TextStart | undefined }> {
  requireConversations(from);
  const source = async function* () {
    yield bytes;
  };
  const all = await listConversations(source(), from);
  if (all.length < 2 && wanted === undefined) return { bytes, start: undefined };
  if (wanted === undefined) throw manyConversations(all.length);
  const chosen = chooseConversation(all, wanted);
  if (all.length === 1) return { bytes, start: undefined };
  const { offset, length } = chosen;
  return { bytes: bytes.subarray(offset, offset + length), start: startOf(chosen) };
}

/** Throws for a dialect whose files hold one conversation each. */
export function requireConversations({ name, framing }: Dialect): void {
  if (framing.kind === "document" && framing.conversation !== undefined) return;
  throw new DragomanError("convert/no-conversation", `a file in the dialect ${name} holds one conversation`, {
    hint: "leave out the choice of a conversation",
  });
}

/** Undefined if it is not JSON: it is listed all the same, and reading it reports the error. */
function parsedMember({ bytes }: Member): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
