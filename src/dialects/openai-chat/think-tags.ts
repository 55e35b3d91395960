import type { JsonObject } from "../../core/json/value.js";
import type { ThinkingContent } from "../../core/types.js";
import { notesOf } from "./notes.js";

/** The value of a thinking block's `field` note when the thinking came in tags. */
export const IN_TAGS = "tags";

const OPEN = "<think>";
const CLOSE = "</think>";

/** More white space than this is text: what is kept back must stay short. */
const MAX_SPACE = 64;

/** Where the pieces of a text go. */
export interface TagSink {
  text(delta: string): void;
  thinking(delta: string): void;
  /** The white space that was left out: in front of the tags, before and after the thinking in them, and behind them. */
  thinkingEnd(space: { front: string; before: string; after: string; behind: string }): void;
}

/**
 * Splits a streamed text whose thinking stands in tags at its beginning: `<think>\n…\n</think>\n\nHello`. What may still
 * become a tag is kept back; everything else passes at once. White space around the thinking is kept as a note.
 */
export class ThinkTags {
  readonly #sink: TagSink;
  #state: "start" | "before" | "thinking" | "behind" | "text" = "start";
  /** Text that is not decided yet. */
  #kept = "";
  #front = "";
  #before = "";
  #after = "";
  #behind = "";

  constructor(sink: TagSink) {
    this.#sink = sink;
  }

  push(delta: string): void {
    if (this.#state === "text") {
      this.#sink.text(delta);
      return;
    }
    this.#kept += delta;
    while (this.#step()) {}
  }

  /** The text has ended: what was kept back is what it looks like. */
  end(): void {
    const kept = this.#kept;
    this.#kept = "";
    switch (this.#state) {
      case "start":
        if (kept !== "") this.#sink.text(kept);
        break;
      case "before":
      case "thinking":
        // The answer was cut off in its thinking: there is no closing tag to note.
        if (kept !== "") this.#sink.thinking(kept);
        break;
      case "behind":
        this.#endThinking();
        break;
      case "text":
    }
    this.#state = "text";
  }

  /** Whether the text moved on. */
  #step(): boolean {
    switch (this.#state) {
      case "start":
        return this.#begin();
      case "before":
        return this.#skipBefore();
      case "thinking":
        return this.#think();
      case "behind":
        return this.#skipBehind();
      case "text":
        return false;
    }
  }

  #begin(): boolean {
    const text = this.#kept.trimStart();
    if (text.startsWith(OPEN)) {
      this.#front = this.#kept.slice(0, this.#kept.length - text.length);
      this.#kept = text.slice(OPEN.length);
      this.#state = "before";
      return true;
    }
    if (OPEN.startsWith(text) && this.#kept.length <= MAX_SPACE) return false;
    this.#release();
    return false;
  }

  #skipBefore(): boolean {
    const text = this.#kept.trimStart();
    this.#before += this.#kept.slice(0, this.#kept.length - text.length);
    this.#kept = text;
    if (text === "") return false;
    this.#state = "thinking";
    return true;
  }

  #think(): boolean {
    const end = this.#kept.indexOf(CLOSE);
    if (end >= 0) {
      const thought = this.#kept.slice(0, end);
      const shown = thought.trimEnd();
      if (shown !== "") this.#sink.thinking(shown);
      this.#after = thought.slice(shown.length);
      this.#kept = this.#kept.slice(end + CLOSE.length);
      this.#state = "behind";
      return true;
    }
    // White space at the end belongs to the tag, if that comes next.
    const open = this.#kept.length - beginningOfTag(this.#kept);
    const whole = this.#kept.slice(0, open);
    const trimmed = whole.trimEnd();
    const shown = whole.length - trimmed.length > MAX_SPACE ? whole : trimmed;
    if (shown !== "") this.#sink.thinking(shown);
    this.#kept = this.#kept.slice(shown.length);
    return false;
  }

  #skipBehind(): boolean {
    const text = this.#kept.trimStart();
    this.#behind += this.#kept.slice(0, this.#kept.length - text.length);
    this.#kept = text;
    if (text === "") return false;
    this.#endThinking();
    this.#release();
    return false;
  }

  #endThinking(): void {
    this.#sink.thinkingEnd({
      front: this.#front,
      before: this.#before,
      after: this.#after,
      behind: this.#behind,
    });
  }

  #release(): void {
    const text = this.#kept;
    this.#kept = "";
    this.#state = "text";
    if (text !== "") this.#sink.text(text);
  }
}

/** How many characters at the end may be the beginning of the closing tag. */
function beginningOfTag(text: string): number {
  const at = text.lastIndexOf("<");
  return at >= 0 && CLOSE.startsWith(text.slice(at)) ? text.length - at : 0;
}

/** Whether a block of thinking came in tags. */
export function isInTags(block: ThinkingContent): boolean {
  return notesOf(block)["field"] === IN_TAGS;
}

/** The thinking as it came: in its tags, with the white space around it. */
export function writeInTags(block: ThinkingContent): string {
  const { front, before, after, behind } = notesOf(block);
  return `${text(front)}${OPEN}${text(before)}${block.thinking}${text(after)}${CLOSE}${text(behind)}`;
}

function text(value: JsonObject[string]): string {
  return typeof value === "string" ? value : "";
}
