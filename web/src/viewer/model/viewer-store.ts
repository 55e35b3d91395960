import { type AgentMessage, DragomanError } from "dragoman/core";
import { itemsOf } from "../../transcript/items.js";
import { Listeners } from "../../transcript/live/listeners.js";
import type { Source } from "./envelope.js";
import { loadTranscript } from "./load.js";
import { OpenTranscript, type World } from "./open-transcript.js";
import type { YieldToPage } from "./slices.js";

export type Phase =
  /** Nothing is open; `trouble` is the reason if opening failed. */
  | { kind: "choosing"; trouble?: string }
  | { kind: "reading"; name: string }
  | { kind: "failed"; source: Source; error: DragomanError }
  | { kind: "open"; transcript: OpenTranscript };

/** What the page shows: the start page, or an open file. */
export class ViewerStore {
  readonly #world: World;
  readonly #listeners = new Listeners();
  #phase: Phase = { kind: "reading", name: "" };

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
    this.#set({ kind: "reading", name: source.name });
    try {
      const loaded = await loadTranscript(source.bytes, source.from, this.#world.breathe);
      const transcript = new OpenTranscript(source, loaded, this.#world);
      await makeItems(transcript.snapshot().branch.messages, this.#world.breathe);
      this.#set({ kind: "open", transcript });
      await transcript.check(undefined);
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      this.#set({ kind: "failed", source, error });
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
