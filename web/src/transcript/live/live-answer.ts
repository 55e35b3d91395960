import type { AssistantMessageEventLine } from "dragoman/core";
import { IncrementalJson } from "dragoman/framing";
import { MarkdownSplitter, type Piece } from "../markdown/split-markdown.js";
import { Listeners, nextFrame, type Schedule } from "./listeners.js";

/** A streaming block, to which its component subscribes. */
abstract class LiveBlock {
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  /** Changes whenever the block does. */
  readonly snapshot = (): number => this.version;
  protected version = 0;

  emit(): void {
    this.version++;
    this.#listeners.emit();
  }
}

/** Streaming text or thinking: finished pieces, and the open rest. */
export class LiveText extends LiveBlock {
  readonly type: "text" | "thinking";
  readonly key: string;
  /** The next block has begun. */
  hasEnded = false;
  readonly splitter = new MarkdownSplitter();

  constructor(type: "text" | "thinking", key: string) {
    super();
    this.type = type;
    this.key = key;
  }
}

/** A tool call whose arguments are streaming. */
export class LiveCall extends LiveBlock {
  readonly type = "call";
  readonly key: string;
  id: string | undefined;
  name: string | undefined;
  readonly #json = new IncrementalJson();

  constructor(key: string) {
    super();
    this.key = key;
  }

  push(text: string): void {
    this.#json.push(text);
  }

  /** The arguments received so far, and their text in case it is not JSON. */
  get arguments(): { value: unknown; text: string } {
    return { value: this.#json.value, text: this.#json.text };
  }
}

/** A row of a streaming answer. */
export type LivePart =
  | { type: "piece"; key: string; piece: Piece }
  | { type: "open"; key: string; block: LiveText }
  | { type: "call"; key: string; block: LiveCall };

export interface LiveOptions {
  /** Who is answering. */
  sender?: string;
  schedule?: Schedule;
}

let answers = 0;

/**
 * A streaming answer. It collects deltas and notifies components once per frame: a text delta only the component of its block,
 * the list only when a block begins or a piece is finished.
 */
export class LiveAnswer {
  readonly key = `live-${answers++}`;
  readonly sender: string | undefined;
  readonly #blocks = new Map<number, LiveText | LiveCall>();
  readonly #listeners = new Listeners();
  readonly #schedule: Schedule;
  readonly #changed = new Set<LiveText | LiveCall>();
  #parts: readonly LivePart[] = [];

  constructor({ sender, schedule = nextFrame }: LiveOptions = {}) {
    this.sender = sender;
    this.#schedule = schedule;
  }

  readonly subscribe = this.#listeners.subscribe;
  /** The parts in display order; a new array whenever they change. */
  readonly snapshot = (): readonly LivePart[] => this.#parts;

  push(event: AssistantMessageEventLine): void {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta": {
        const text = this.#text(event.contentIndex, event.type === "text_delta" ? "text" : "thinking");
        text.splitter.push(event.delta);
        this.#markChanged(text);
        return;
      }
      case "toolcall_start": {
        const call = this.#call(event.contentIndex);
        call.id = event.id;
        call.name = event.name;
        this.#markChanged(call);
        return;
      }
      case "toolcall_delta": {
        const call = this.#call(event.contentIndex);
        call.push(event.delta);
        this.#markChanged(call);
        return;
      }
      default:
    }
  }

  #text(index: number, kind: "text" | "thinking"): LiveText {
    const known = this.#blocks.get(index);
    if (known?.type === kind) return known;
    return this.#add(index, new LiveText(kind, `${this.key}-${index}`));
  }

  #call(index: number): LiveCall {
    const known = this.#blocks.get(index);
    if (known?.type === "call") return known;
    return this.#add(index, new LiveCall(`${this.key}-${index}`));
  }

  #add<B extends LiveText | LiveCall>(index: number, block: B): B {
    for (const other of this.#blocks.values()) {
      if (other.type !== "call" && !other.hasEnded) {
        other.hasEnded = true;
        this.#markChanged(other);
      }
    }
    this.#blocks.set(index, block);
    return block;
  }

  #markChanged(block: LiveText | LiveCall): void {
    if (this.#changed.size === 0) this.#schedule(() => this.#flush());
    this.#changed.add(block);
  }

  #flush(): void {
    const changed = [...this.#changed];
    this.#changed.clear();
    const parts = this.#partsNow();
    if (parts.length !== this.#parts.length || parts.some(({ key }, at) => key !== this.#parts[at]?.key)) {
      this.#parts = parts;
      this.#listeners.emit();
    }
    for (const block of changed) block.emit();
  }

  #partsNow(): LivePart[] {
    return [...this.#blocks.values()].flatMap((block): LivePart[] => {
      const { key } = block;
      if (block.type === "call") return [{ type: "call", key, block }];
      if (block.type === "thinking") return [{ type: "open", key, block }];
      const { pieces } = block.splitter;
      return [
        ...pieces.map((piece, at) => ({ type: "piece" as const, key: `${key}-${at}`, piece })),
        { type: "open", key: `${key}-open`, block },
      ];
    });
  }
}
