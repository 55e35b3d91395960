import { byLosses, dialects, type Problem, type Provider, type Target } from "dragoman/convert";
import { type AgentMessage, DragomanError } from "dragoman/core";
import { Listeners } from "../../transcript/live/listeners.js";
import type { Findings } from "../work/findings.js";
import type { JobRunner } from "../work/jobs.js";
import type { Loaded, SourceText } from "../work/load.js";
import type { Translated } from "../work/translate.js";
import { type Branch, branchTo } from "./branch.js";
import type { Source } from "./envelope.js";
import { Places } from "./places.js";
import { type Clock, Replay, scheduleOf } from "./replay.js";
import { timeOf } from "./timeline.js";
import { buildTree, lastSegment, newestEnd, type Segment, type Tree } from "./tree.js";

/** A message, or a part of the file that could not be read. */
export type Selection = { kind: "message" | "unread"; index: number };

export interface Check {
  provider: Provider | undefined;
  /** Undefined while it runs. */
  findings: Findings | undefined;
  /** The problems by message index. */
  byMessage: ReadonlyMap<number, readonly Problem[]>;
}

export interface Conversion {
  to: string;
  escrow: boolean;
  /** Undefined while it runs. */
  result: Translated | DragomanError | undefined;
}

/** What every dialect would lose of the branch on display. */
export interface Comparison {
  /** Those compared so far, the smallest losses first. */
  targets: readonly Target[];
  total: number;
  /** Why the transcript cannot be converted. */
  error?: DragomanError;
}

export interface View {
  branch: Branch;
  replay: Replay;
  selected: Selection | undefined;
  /** The message to scroll to; a new object for each request. */
  jump: { index: number } | undefined;
  check: Check;
  conversion: Conversion | undefined;
  comparison: Comparison | undefined;
}

/** An open transcript: the branch and message shown, its problems, and its conversion to another dialect. */
export class OpenTranscript {
  readonly source: Source;
  readonly loaded: Loaded;
  readonly messages: readonly AgentMessage[];
  readonly tree: Tree;
  readonly indexOf: ReadonlyMap<AgentMessage, number>;
  readonly #places: Places;
  readonly #jobs: JobRunner;
  readonly #clock: Clock;
  readonly #listeners = new Listeners();
  #view: View;

  constructor(source: Source, loaded: Loaded, jobs: JobRunner, clock: Clock) {
    this.source = source;
    this.loaded = loaded;
    this.messages = loaded.entries.map(({ message }) => message);
    this.tree = buildTree(loaded.branches ? this.messages : this.messages.map(() => ({})));
    this.indexOf = new Map(this.messages.map((message, index) => [message, index]));
    this.#places = new Places(loaded.entries);
    this.#jobs = jobs;
    this.#clock = clock;
    this.#view = {
      ...this.#viewOf(lastSegment(this.tree)),
      selected: undefined,
      jump: undefined,
      check: { provider: undefined, findings: undefined, byMessage: new Map() },
      conversion: undefined,
      comparison: undefined,
    };
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): View => this.#view;

  /** Shows the branch through a segment that was written to last. */
  showBranch(through: Segment): void {
    const end = newestEnd(this.tree, through);
    if (end === this.#view.branch.end) return;
    this.#set(this.#viewOf(end));
    const { conversion, comparison } = this.#view;
    if (comparison !== undefined) void this.compare();
    if (conversion !== undefined) void this.convert(conversion.to, conversion.escrow);
  }

  /** Selects a message and scrolls to it, switching branches if needed. */
  goTo(index: number): void {
    const { branch, replay } = this.#view;
    const segment = this.tree.segments[this.tree.segmentOf[index] ?? -1];
    const isElsewhere = !branch.path.includes(index) && segment !== undefined;
    if (isElsewhere) this.showBranch(segment);
    else replay.seek(replay.length);
    this.#set({ selected: { kind: "message", index }, jump: { index } });
  }

  /** Goes to the message that a problem or a loss concerns. */
  goToPlace(place: { at: string; line?: number | undefined }): void {
    const index = this.#places.find(place);
    if (index !== undefined) this.goTo(index);
    const unread = this.loaded.unread.findIndex(({ at }) => at === place.at);
    if (unread >= 0) this.#set({ selected: { kind: "unread", index: unread } });
  }

  /** Selects a message without scrolling. */
  select(index: number): void {
    this.#set({ selected: { kind: "message", index } });
  }

  async check(provider: Provider | undefined): Promise<void> {
    const check: Check = { provider, findings: undefined, byMessage: new Map() };
    this.#set({ check });
    const findings = await this.#jobs.run("check", { from: this.loaded.dialect, provider });
    // Another check may have been started meanwhile.
    if (this.#view.check !== check) return;
    this.#set({ check: { provider, findings, byMessage: this.#byMessage(findings.problems) } });
  }

  async convert(to: string, escrow: boolean): Promise<void> {
    const conversion: Conversion = { to, escrow, result: undefined };
    this.#set({ conversion });
    const result = await this.#translate(to, escrow);
    if (this.#view.conversion === conversion) this.#set({ conversion: { to, escrow, result } });
  }

  /** Compares all dialects, one after another, so that other jobs are done in between. */
  async compare(): Promise<void> {
    let comparison: Comparison = { targets: [], total: 0 };
    const show = (next: Comparison) => {
      comparison = next;
      this.#set({ comparison });
    };
    show(comparison);
    const names = (await dialects()).filter(({ writes }) => writes).map(({ name }) => name);
    if (this.#view.comparison !== comparison) return;
    show({ targets: [], total: names.length });
    for (const to of names) {
      const result = await this.#compareWith(to);
      // Another comparison may have been started meanwhile.
      if (this.#view.comparison !== comparison) return;
      if (result instanceof DragomanError) return show({ ...comparison, error: result });
      show({ targets: [...comparison.targets, result].sort(byLosses), total: names.length });
    }
  }

  #compareWith(to: string): Promise<Target | DragomanError> {
    return orError(this.#jobs.run("compare", { from: this.loaded.dialect, to, leaf: this.#leaf() }));
  }

  #translate(to: string, escrow: boolean): Promise<Translated | DragomanError> {
    const job = { from: this.loaded.dialect, to, escrow, leaf: this.#leaf() };
    return orError(this.#jobs.run("translate", job));
  }

  /** The branch on display as HTML for readers without scripts. */
  readableText(): Promise<string[]> {
    return this.#jobs.run("readable", { from: this.loaded.dialect, leaf: this.#leaf() });
  }

  /** A message's text in the file. */
  sourceOf(index: number): Promise<SourceText | undefined> {
    return this.#jobs.run("source", { index });
  }

  close(): void {
    this.#view.replay.close();
    this.#jobs.close();
  }

  /** The id of the last message on display. */
  #leaf(): string | undefined {
    const leaf = this.#view.branch.end?.messages.at(-1);
    return leaf === undefined ? undefined : this.messages[leaf]?.id;
  }

  #byMessage(problems: readonly Problem[]): Map<number, Problem[]> {
    const byMessage = new Map<number, Problem[]>();
    for (const problem of problems) {
      const index = this.#places.find(problem);
      if (index === undefined) continue;
      const there = byMessage.get(index) ?? [];
      byMessage.set(index, there);
      there.push(problem);
    }
    return byMessage;
  }

  #viewOf(end: Segment | undefined): Pick<View, "branch" | "replay"> {
    const branch = branchTo(this.messages, this.tree, end);
    const replay = new Replay(scheduleOf(branch.messages.map(timeOf)), this.#clock);
    return { branch, replay };
  }

  #set(change: Partial<View>): void {
    if (change.replay !== undefined) this.#view.replay.close();
    this.#view = { ...this.#view, ...change };
    this.#listeners.emit();
  }
}

async function orError<T>(result: Promise<T>): Promise<T | DragomanError> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof DragomanError) return error;
    throw error;
  }
}
