import { type AgentMessage, DragomanError } from "dragoman/core";
import { itemsOf } from "../../transcript/items.js";
import { Listeners } from "../../transcript/live/listeners.js";
import { type JobRunner, localJobs } from "../work/jobs.js";
import type { Entry } from "../work/load.js";
import type { YieldToPage } from "../work/slices.js";
import { workerJobs } from "../work/worker-jobs.js";
import type { Source } from "./envelope.js";
import { OpenTranscript } from "./open-transcript.js";
import type { Clock } from "./replay.js";

export type Phase =
  /** Nothing is open; `trouble` is the reason if opening failed. */
  | { kind: "choosing"; trouble?: string }
  /** `messages` have been read so far. */
  | { kind: "reading"; name: string; messages: number }
  | { kind: "failed"; source: Source; error: DragomanError }
  | { kind: "open"; transcript: OpenTranscript };

export interface World {
  breathe: YieldToPage;
  clock: Clock;
  /** Starts the worker that reads large files. Throws where the browser does not allow it. */
  startWorker: () => Worker;
}

/** Smaller files are read before a worker would have started. */
const LARGE = 1_000_000;

/** What the page shows: the start page, or an open file. */
export class ViewerStore {
  readonly #world: World;
  readonly #listeners = new Listeners();
  #phase: Phase = { kind: "reading", name: "", messages: 0 };

  constructor(world: World) {
    this.#world = world;
  }

  readonly subscribe = this.#listeners.subscribe;
  readonly snapshot = (): Phase => this.#phase;

  /** Opens the transcript that the page was opened for. */
  async start(find: () => Promise<Source | undefined>): Promise<void> {
    try {
      const source = await find();
      if (source === undefined) this.#set({ kind: "choosing" });
      else await this.open(source);
    } catch (error) {
      this.#set({ kind: "choosing", trouble: error instanceof Error ? error.message : String(error) });
    }
  }

  /** Opens a transcript in the given dialect, or in the detected one. */
  async open(source: Source): Promise<void> {
    const before = this.#phase;
    if (before.kind === "open") before.transcript.close();
    const { name } = source;
    this.#set({ kind: "reading", name, messages: 0 });
    const jobs = await this.#jobsFor(source.bytes);
    try {
      const entries: Entry[] = [];
      const head = await jobs.run("load", { from: source.from }, (batch) => {
        for (const entry of batch) entries.push(entry);
        this.#set({ kind: "reading", name, messages: entries.length });
      });
      const transcript = new OpenTranscript(source, { ...head, entries }, jobs, this.#world.clock);
      await makeItems(transcript.snapshot().branch.messages, this.#world.breathe);
      this.#set({ kind: "open", transcript });
      await transcript.check(undefined);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      jobs.close();
      this.#set({ kind: "failed", source, error });
    }
  }

  /** A worker's, so that the page stays responsive; the page's own for a small file, or if the browser starts no worker. */
  async #jobsFor(bytes: Uint8Array): Promise<JobRunner> {
    const own = () => localJobs(bytes, this.#world.breathe);
    if (bytes.length < LARGE) return own();
    try {
      return await workerJobs(this.#world.startWorker(), bytes);
    } catch {
      // A host's policy may forbid workers. The file is then read here, in slices.
      return own();
    }
  }

  #set(phase: Phase): void {
    this.#phase = phase;
    this.#listeners.emit();
  }
}

const BATCH = 400;

/** Creates the items in batches. They are cached by message, so that rendering them is cheap afterwards. */
async function makeItems(messages: readonly AgentMessage[], breathe: YieldToPage): Promise<void> {
  for (let start = 0; start < messages.length; start += BATCH) {
    itemsOf(messages.slice(start, start + BATCH));
    await breathe();
  }
}
