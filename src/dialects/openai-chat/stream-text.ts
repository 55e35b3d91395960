import type { JsonObject } from "../../core/json/value.js";
import type { AnswerBuilder } from "../../core/stream/builder.js";
import type { TextContent, ThinkingContent } from "../../core/types.js";
import { update } from "./merge.js";
import { deviation, withNotes } from "./notes.js";
import { readAnswerPart, refusalBlock } from "./read-messages.js";
import { IN_TAGS, type TagSink } from "./think-tags.js";
import { isContentPart, plainThinking, readDetail, textOfDetail, textOrNone } from "./thinking.js";
import { THINKING_FIELDS } from "./wire.js";

/** Reads the text and the thinking of a stream: consecutive deltas of one kind are one block. */
export class TextReader {
  readonly #builder: AnswerBuilder;
  #open: { kind: string; block: number } | undefined;
  /** Signed thinking by kind and index; a signature may arrive after its block is closed. */
  readonly #details = new Map<string, { block: number; fields: JsonObject }>();

  constructor(builder: AnswerBuilder) {
    this.#builder = builder;
  }

  addText(delta: string): void {
    this.#stream("text", () => ({ type: "text", text: "" }), delta);
  }

  /** Receives thinking in tags; `endThinking` notes the white space around it. */
  readonly tagged: TagSink = {
    addText: (delta) => this.addText(delta),
    addThinking: (delta) => this.#stream(IN_TAGS, () => this.#taggedBlock({}), delta),
    endThinking: (space) => {
      if (this.#open?.kind === IN_TAGS) this.#addNotes(this.#open.block, this.#tagNotes(space));
      else this.#begin(IN_TAGS, this.#taggedBlock(space));
      this.close();
    },
  };

  #taggedBlock(space: object): ThinkingContent {
    return withNotes<ThinkingContent>({ type: "thinking", thinking: "" }, this.#tagNotes(space));
  }

  #tagNotes(space: object): JsonObject {
    return { field: IN_TAGS, ...Object.fromEntries(Object.entries(space).filter(([, text]) => text !== "")) };
  }

  addRefusal(delta: string): void {
    this.#stream("refusal", () => refusalBlock(""), delta);
  }

  /** Some servers send the same text in several fields at once. */
  addThinking(delta: JsonObject, details: readonly JsonObject[]): void {
    const known = details.length === 0 ? [""] : ["", details.map(textOrNone).join("")];
    for (const detail of details) this.#addDetail(detail);
    for (const field of THINKING_FIELDS) {
      const text = delta[field];
      if (typeof text !== "string" || known.includes(text)) continue;
      known.push(text);
      this.#stream(field, () => plainThinking("", field), text);
    }
  }

  /** Adds a part of a content list. */
  addPart(part: JsonObject): void {
    const block = readAnswerPart(part);
    if (block.type === "text" && block.ext === undefined) this.addText(block.text);
    else if (block.type === "thinking" && isContentPart(block)) {
      const begin = (): ThinkingContent =>
        withNotes<ThinkingContent>({ type: "thinking", thinking: "" }, { field: "content" });
      this.#stream("content", begin, block.thinking);
      const { type: _, thinking: __, ...rest } = part;
      if (this.#open?.kind === "content") this.#addNotes(this.#open.block, deviation(rest, {}));
    } else {
      this.close();
      this.#builder.whole(block);
    }
  }

  close(): void {
    if (this.#open !== undefined) this.#builder.close(this.#open.block);
    this.#open = undefined;
  }

  /** Adds signatures and notes to signed thinking. */
  annotateBlocks(): void {
    this.close();
    for (const { block, fields } of this.#details.values()) {
      const thinking = this.#builder.message.content[block];
      if (thinking?.type !== "thinking") continue;
      const field = fields["type"] === "reasoning.summary" ? "summary" : "text";
      Object.assign(thinking, readDetail({ ...fields, [field]: thinking.thinking }));
    }
  }

  #addDetail(detail: JsonObject): void {
    const text = textOfDetail(detail);
    if (text === undefined) {
      this.close();
      this.#builder.whole(readDetail(detail));
      return;
    }
    const kind = JSON.stringify([detail["type"], detail["index"]]);
    const { text: _, summary: __, ...fields } = detail;
    const known = this.#details.get(kind);
    if (known !== undefined && (text === "" || this.#open?.kind === kind)) update(known.fields, fields);
    else {
      const block = this.#begin(kind, { type: "thinking", thinking: "" });
      this.#details.set(known === undefined ? kind : `${kind} ${block}`, { block, fields: { ...fields } });
    }
    this.#stream(kind, () => ({ type: "thinking", thinking: "" }), text);
  }

  #stream(kind: string, begin: () => TextContent | ThinkingContent, delta: string): void {
    if (delta === "") return;
    const block = this.#open?.kind === kind ? this.#open.block : this.#begin(kind, begin());
    this.#builder.delta(block, delta);
  }

  #begin(kind: string, block: TextContent | ThinkingContent): number {
    this.close();
    const index = this.#builder.open(block);
    this.#open = { kind, block: index };
    return index;
  }

  #addNotes(index: number, notes: object): void {
    const block = this.#builder.message.content[index];
    if (block?.type === "thinking") Object.assign(block, withNotes(block, notes));
  }
}
