import type { SearchTerm } from "../highlight.js";
import type { Query } from "../query.js";
import { DamagedSegment, type Segment, type TermEntry } from "./segment-file.js";

/** The messages of a segment in which a term occurs, in order, and how often. */
export interface Occurrences {
  messages: number[];
  times: number[];
}

/** The matches of a query in a segment. */
export interface Matched {
  /** In order. */
  messages: readonly number[];
  /** Of each term that must occur, by message. */
  times: ReadonlyMap<number, number>[];
}

/** The messages that contain all wanted terms and none of the excluded ones. */
export function matchIn(segment: Segment, { wanted, excluded }: Pick<Query, "wanted" | "excluded">): Matched {
  const times: Map<number, number>[] = [];
  let messages: readonly number[] | undefined;
  for (const term of wanted) {
    const found = occurrencesOf(segment, term);
    const byMessage = new Map(found.messages.map((message, index) => [message, found.times[index] ?? 0]));
    times.push(byMessage);
    messages = messages === undefined ? found.messages : messages.filter((message) => byMessage.has(message));
  }
  for (const term of excluded) {
    if (messages === undefined || messages.length === 0) break;
    const found = new Set(occurrencesOf(segment, term).messages);
    messages = messages.filter((message) => !found.has(message));
  }
  return { messages: messages ?? [], times };
}

function occurrencesOf(segment: Segment, { words, prefix }: SearchTerm): Occurrences {
  const used = words.filter((word) => word !== "");
  const last = used.length - 1;
  const entries = used.map((word, index) => entriesOf(segment, word, prefix && index === last));
  const [first = []] = entries;
  return entries.length === 1 ? union(segment, first) : phrase(segment, entries);
}

/** The dictionary's entries of a word, or of all words that begin with it. */
function entriesOf(segment: Segment, word: string, isPrefix: boolean): TermEntry[] {
  const entries: TermEntry[] = [];
  for (const { isExact, entry } of segment.termsFrom(Buffer.from(word))) {
    if (isExact || isPrefix) entries.push(entry);
    if (!isPrefix) break;
  }
  return entries;
}

/** Calls `visit` for each message of a term. */
function eachMessage(
  segment: Segment,
  entry: TermEntry,
  visit: (message: number, times: number) => void,
): void {
  if (entry.messages > segment.messages) throw new DamagedSegment("its dictionary is not readable");
  const postings = segment.reader("postings", entry);
  let message = 0;
  for (let left = entry.messages; left > 0; left--) {
    const step = postings.integer();
    message += step >>> 1;
    visit(message, (step & 1) === 1 ? postings.integer() : 1);
  }
}

function union(segment: Segment, entries: readonly TermEntry[]): Occurrences {
  const messages: number[] = [];
  const times: number[] = [];
  if (entries.length === 1 && entries[0] !== undefined) {
    eachMessage(segment, entries[0], (message, count) => {
      messages.push(message);
      times.push(count);
    });
    return { messages, times };
  }
  const counts = new Uint32Array(segment.messages);
  for (const entry of entries) {
    eachMessage(segment, entry, (message, count) => {
      counts[message] = (counts[message] ?? 0) + count;
    });
  }
  for (const [message, count] of counts.entries()) {
    if (count === 0) continue;
    messages.push(message);
    times.push(count);
  }
  return { messages, times };
}

/** The messages in which the words, each given by its entries, follow each other. */
function phrase(segment: Segment, words: readonly (readonly TermEntry[])[]): Occurrences {
  let candidates: Uint8Array | undefined;
  for (const entries of words) candidates = containing(segment, entries, candidates);
  const messages: number[] = [];
  const times: number[] = [];
  if (candidates === undefined) return { messages, times };
  const places = words.map((entries) => placesIn(segment, entries, candidates));
  for (const [message, starts] of [...(places[0] ?? [])].sort(([one], [other]) => one - other)) {
    const following = places.slice(1).map((word) => new Set(word.get(message)));
    const count = starts.filter((start) => following.every((at, index) => at.has(start + index + 1))).length;
    if (count === 0) continue;
    messages.push(message);
    times.push(count);
  }
  return { messages, times };
}

/** Which messages contain one of these terms, of the candidates. */
function containing(segment: Segment, entries: readonly TermEntry[], candidates?: Uint8Array): Uint8Array {
  const found = new Uint8Array(segment.messages);
  for (const entry of entries) {
    eachMessage(segment, entry, (message) => {
      found[message] = candidates?.[message] ?? 1;
    });
  }
  return found;
}

/** Where in the candidates these terms occur. */
function placesIn(
  segment: Segment,
  entries: readonly TermEntry[],
  candidates: Uint8Array,
): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const entry of entries) {
    const offsets = segment.reader("offsets", entry);
    eachMessage(segment, entry, (message, times) => {
      if (candidates[message] !== 1) {
        offsets.skip(times);
        return;
      }
      const found = places.get(message) ?? [];
      places.set(message, found);
      let place = 0;
      for (let left = times; left > 0; left--) {
        place += offsets.integer();
        found.push(place);
      }
    });
  }
  return places;
}
