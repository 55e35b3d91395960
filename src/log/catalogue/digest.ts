import { isSilent } from "../../core/message/failure.js";
import { folderOf } from "../../core/message/folder.js";
import { noteOf } from "../../core/message/notes.js";
import { isPriceUnknown, sumUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, SessionMessage, Usage } from "../../core/types.js";
import { isSearched, searchableText } from "./searchable.js";
import type { SessionState } from "./state.js";
import type { SearchedRole } from "./types.js";

const TITLE_LENGTH = 80;
const MAX_BAD_LINES = 1000;
const UNKNOWN_MODEL = "unknown";

/** The part of a message that goes into the full-text index. */
export interface IndexedText {
  text: string;
  id: string | undefined;
  position: number;
  role: SearchedRole;
  timestamp: number;
}

/** What answers of one day and one model used. */
export interface SpentPart {
  /** Empty if the answers have no time. */
  day: string;
  model: string;
  answers: number;
  usage: Usage;
  unknownPrices: boolean;
}

/** Adds a session's lines, in order, to its indexed state. */
export class Digest {
  readonly state: SessionState;
  /** The total length of the texts since the last `flush`. */
  length = 0;
  readonly #idInHeader: boolean;
  #texts: IndexedText[] = [];
  /** By day and model. Usages are summed at the end, because exact sums are slow. */
  #spent = new Map<string, Omit<SpentPart, "usage"> & { usages: Usage[] }>();

  /** `idInHeader`: the header names the session. */
  constructor(state: SessionState, idInHeader = false) {
    this.state = state;
    this.#idInHeader = idInHeader;
  }

  /** The number of the line (default: the next one). */
  addBadLine(line?: number): void {
    const { counts, badLines } = this.state.summary;
    counts.lines += 1;
    counts.bad += 1;
    if (badLines.length < MAX_BAD_LINES) badLines.push(line ?? counts.lines);
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
      if (note.data.cwd !== undefined) summary.folder = note.data.cwd;
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
    if (message.role === "user") this.#setOpening(text);
    this.#texts.push({ text, id: message.id, position, role: message.role, timestamp: message.timestamp });
    this.length += text.length;
  }

  /** Returns the state, and the texts and spending since the last call. */
  flush(): { state: SessionState; texts: IndexedText[]; spent: SpentPart[] } {
    const { summary } = this.state;
    const spent = [...this.#spent.values()].map(({ usages, ...part }) => ({
      ...part,
      usage: sumUsage(usages),
    }));
    if (spent.length > 0) summary.usage = sumUsage([summary.usage, ...spent.map(({ usage }) => usage)]);
    const texts = this.#texts;
    this.#texts = [];
    this.length = 0;
    this.#spent = new Map();
    return { state: copyOf(this.state), texts, spent };
  }

  #readHeader(header: SessionMessage): void {
    const { id, key, title, parent, timestamp } = header;
    const { summary } = this.state;
    if (this.#idInHeader && id !== undefined) summary.id = id;
    const folder = folderOf(header);
    if (folder !== undefined && folder !== "") summary.folder = folder;
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

  /** From the first prompt with text of the user's own, otherwise from the first prompt. */
  #setOpening(text: string): void {
    const { opening: known } = this.state;
    if (known?.startsWith("<") === false) return;
    const own = withoutContext(text);
    if (own === "" && known !== undefined) return;
    const opening = openingOf(own === "" ? text : own);
    if (opening !== undefined) this.state.opening = opening;
  }

  #addAnswer(message: AssistantMessage): void {
    const { summary } = this.state;
    const { provider, model, usage } = message;
    const unknownPrices = isPriceUnknown(message);
    summary.unknownPrices ||= unknownPrices;
    const name = `${provider}/${model}`;
    const isAnswer = !isSilent(message);
    if (model !== "" && isAnswer && !summary.models.includes(name)) summary.models.push(name);
    // Rejected requests used nothing.
    if (!isAnswer && !unknownPrices && usage.totalTokens === 0) return;
    const day = message.timestamp > 0 ? new Date(message.timestamp).toISOString().slice(0, 10) : "";
    this.#addSpent(day, model === "" ? UNKNOWN_MODEL : name, usage, Number(isAnswer), unknownPrices);
  }

  #addSpent(day: string, model: string, usage: Usage, answers: number, unknownPrices: boolean): void {
    const key = `${day} ${model}`;
    const part = this.#spent.get(key);
    if (part === undefined) this.#spent.set(key, { day, model, answers, usages: [usage], unknownPrices });
    else {
      part.answers += answers;
      part.usages.push(usage);
      part.unknownPrices ||= unknownPrices;
    }
  }
}

/** A state that further lines do not change. */
function copyOf(state: SessionState): SessionState {
  const { summary } = state;
  const { counts, badLines, models } = summary;
  return {
    ...state,
    summary: { ...summary, counts: { ...counts }, badLines: [...badLines], models: [...models] },
  };
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

/** Without the context that programs put before a prompt, each piece in a tag: `<environment_context>…</environment_context>`. */
function withoutContext(text: string): string {
  let rest = text.trimStart();
  for (;;) {
    const tag = tagAt(rest);
    if (tag === undefined) return rest;
    const end = `</${tag}>`;
    const at = rest.indexOf(end);
    if (at === -1) return rest;
    rest = rest.slice(at + end.length).trimStart();
  }
}

/** The name of the tag that a text begins with. */
function tagAt(text: string): string | undefined {
  if (!text.startsWith("<")) return undefined;
  const [name = ""] = text.slice(1, text.indexOf(">")).split(/\s/, 1);
  return /^[a-z][\w-]*$/.test(name) ? name : undefined;
}
