import { isSilent } from "../../core/message/failure.js";
import { noteOf } from "../../core/message/notes.js";
import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, SessionMessage, Usage } from "../../core/types.js";
import { isSearched, searchableText } from "./searchable.js";
import type { SessionState } from "./state.js";
import type { SearchedRole } from "./types.js";

const TITLE_LENGTH = 80;
const MAX_BAD_LINES = 1000;

/** The part of a message that goes into the full-text index. */
export interface IndexedText {
  text: string;
  id: string | undefined;
  position: number;
  role: SearchedRole;
  timestamp: number;
}

/** Adds a session's lines, in order, to its indexed state. */
export class Digest {
  readonly state: SessionState;
  /** The total length of the texts since the last `flush`. */
  length = 0;
  #texts: IndexedText[] = [];
  /** Summed at the end, because exact sums are slow. */
  #usages: Usage[] = [];

  constructor(state: SessionState) {
    this.state = state;
  }

  addBadLine(): void {
    const { counts, badLines } = this.state.summary;
    counts.lines += 1;
    counts.bad += 1;
    if (badLines.length < MAX_BAD_LINES) badLines.push(counts.lines);
  }

  addBlankLine(): void {
    this.state.summary.counts.lines += 1;
  }

  add(message: AgentMessage, position: number): void {
    const { summary } = this.state;
    summary.counts.lines += 1;
    if (message.role === "session" && summary.counts.lines === 1) this.#readHeader(message);
    const note = noteOf(message);
    if (note?.type === "dragoman/meta") {
      if (note.data.title !== undefined) this.#setTitle(note.data.title);
      if (note.data.archived !== undefined) summary.archived = note.data.archived;
    }
    if (!isSearched(message)) return;
    if (!isSilent(message)) summary.counts[message.role] += 1;
    // 0 stands for an unknown time.
    if (message.timestamp > 0) {
      summary.created ??= message.timestamp;
      summary.active = message.timestamp;
    }
    if (message.role === "assistant") this.#addAnswer(message);
    const text = searchableText(message);
    if (text === "") return;
    if (message.role === "user" && this.state.opening === undefined) this.#setOpening(text);
    this.#texts.push({ text, id: message.id, position, role: message.role, timestamp: message.timestamp });
    this.length += text.length;
  }

  /** Returns the state, and the texts since the last call. */
  flush(): { state: SessionState; texts: IndexedText[] } {
    const { summary } = this.state;
    if (this.#usages.length > 0) summary.usage = sumUsage([summary.usage, ...this.#usages]);
    const texts = this.#texts;
    this.#texts = [];
    this.length = 0;
    this.#usages = [];
    return { state: structuredClone(this.state), texts };
  }

  #readHeader({ key, title, parent, timestamp }: SessionMessage): void {
    const { summary } = this.state;
    if (key !== undefined) summary.key = key;
    if (parent !== undefined) summary.parent = parent;
    if (timestamp > 0) summary.created = timestamp;
    if (title !== undefined) this.#setTitle(title);
  }

  /** An empty title removes the title. */
  #setTitle(title: string): void {
    if (title === "") Reflect.deleteProperty(this.state, "named");
    else this.state.named = title;
  }

  #setOpening(text: string): void {
    const opening = openingOf(text);
    if (opening !== undefined) this.state.opening = opening;
  }

  #addAnswer(message: AssistantMessage): void {
    const { summary } = this.state;
    const { provider, model, usage } = message;
    this.#usages.push(usage);
    summary.unknownPrices ||= isPriceUnknown(message);
    const name = `${provider}/${model}`;
    if (model !== "" && !isSilent(message) && !summary.models.includes(name)) summary.models.push(name);
  }
}

/** The beginning of a text, on one line. */
function openingOf(text: string): string | undefined {
  const line = text
    .slice(0, 8 * TITLE_LENGTH)
    .replace(/\s+/g, " ")
    .trim();
  const characters = [...line];
  if (characters.length === 0) return undefined;
  if (characters.length <= TITLE_LENGTH) return line;
  return `${characters
    .slice(0, TITLE_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}
