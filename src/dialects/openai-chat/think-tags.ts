import type { JsonObject } from "../../core/json/value.js";
import type { ThinkingContent } from "../../core/types.js";
import { notesOf } from "./notes.js";

/** The value of a thinking block's `field` note when the thinking came in tags. */
export const IN_TAGS = "tags";

const OPEN = "<think>";
const CLOSE = "</think>";

/** More white space than this is text, so that the buffer stays small. */
const MAX_SPACE = 64;

/** Receives the pieces of a text. */
export interface TagSink {
  addText(delta: string): void;
  addThinking(delta: string): void;
  /** The removed white space: in front of the tags, before and after the thinking in them, and behind them. */
  endThinking(space: { front: string; before: string; after: string; behind: string }): void;
}

/**
 * Splits a streamed text that starts with thinking in tags: `<think>\n…\n</think>\n\nHello`. Text that may become a tag is
 * buffered; everything else is passed on at once. White space around the thinking is kept as a note.
 */
export class ThinkTags {
  readonly #sink: TagSink;
  #state: "start" | "before" | "thinking" | "behind" | "text" = "start";
  /** Text that may still become a tag. */
  #buffered = "";
  #front = "";
  #before = "";
  #after = "";
  #behind = "";

  constructor(sink: TagSink) {
    this.#sink = sink;
  }

  push(delta: string): void {
    if (this.#state === "text") {
      this.#sink.addText(delta);
      return;
    }
    this.#buffered += delta;
    while (this.#step()) {}
  }

  /** Ends the text: an incomplete tag in the buffer is text or thinking. */
  end(): void {
    const kept = this.#buffered;
    this.#buffered = "";
    switch (this.#state) {
      case "start":
        if (kept !== "") this.#sink.addText(kept);
        break;
      case "before":
      case "thinking":
        // The answer was cut off in its thinking, so there is no closing tag to note.
        if (kept !== "") this.#sink.addThinking(kept);
        break;
      case "behind":
        this.#endThinking();
        break;
      case "text":
    }
    this.#state = "text";
  }

  /** Whether the state changed, so that another step is possible. */
  #step(): boolean {
    switch (this.#state) {
      case "start":
        return this.#readStart();
      case "before":
        return this.#skipBefore();
      case "thinking":
        return this.#readThinking();
      case "behind":
        return this.#skipBehind();
      case "text":
        return false;
    }
  }

  #readStart(): boolean {
    const text = this.#buffered.trimStart();
    if (text.startsWith(OPEN)) {
      this.#front = this.#buffered.slice(0, this.#buffered.length - text.length);
      this.#buffered = text.slice(OPEN.length);
      this.#state = "before";
      return true;
    }
    if (OPEN.startsWith(text) && this.#buffered.length <= MAX_SPACE) return false;
    this.#release();
    return false;
  }

  #skipBefore(): boolean {
    const text = this.#buffered.trimStart();
    this.#before += this.#buffered.slice(0, this.#buffered.length - text.length);
    this.#buffered = text;
    if (text === "") return false;
    this.#state = "thinking";
    return true;
  }

  #readThinking(): boolean {
    const end = this.#buffered.indexOf(CLOSE);
    if (end >= 0) {
      const thought = this.#buffered.slice(0, end);
      const shown = thought.trimEnd();
      if (shown !== "") this.#sink.addThinking(shown);
      this.#after = thought.slice(shown.length);
      this.#buffered = this.#buffered.slice(end + CLOSE.length);
      this.#state = "behind";
      return true;
    }
    // White space at the end belongs to the tag if the tag comes next.
    const open = this.#buffered.length - beginningOfTag(this.#buffered);
    const whole = this.#buffered.slice(0, open);
    const trimmed = whole.trimEnd();
    const shown = whole.length - trimmed.length > MAX_SPACE ? whole : trimmed;
    if (shown !== "") this.#sink.addThinking(shown);
    this.#buffered = this.#buffered.slice(shown.length);
    return false;
  }

  #skipBehind(): boolean {
    const text = this.#buffered.trimStart();
    this.#behind += this.#buffered.slice(0, this.#buffered.length - text.length);
    this.#buffered = text;
    if (text === "") return false;
    this.#endThinking();
    this.#release();
    return false;
  }

  #endThinking(): void {
    this.#sink.endThinking({
      front: this.#front,
      before: this.#before,
      after: this.#after,
      behind: this.#behind,
    });
  }

  #release(): void {
    const text = this.#buffered;
    this.#buffered = "";
    this.#state = "text";
    if (text !== "") this.#sink.addText(text);
  }
}

/** How many characters at the end may be the start of the closing tag. */
function beginningOfTag(text: string): number {
  const at = text.lastIndexOf("<");
  return at >= 0 && CLOSE.startsWith(text.slice(at)) ? text.length - at : 0;
}

/** Whether a thinking block came in tags. */
export function isInTags(block: ThinkingContent): boolean {
  return notesOf(block)["field"] === IN_TAGS;
}

/** The thinking in its tags, with the original white space around it. */
export function writeInTags(block: ThinkingContent): string {
  const { front, before, after, behind } = notesOf(block);
  return `${text(front)}${OPEN}${text(before)}${block.thinking}${text(after)}${CLOSE}${text(behind)}`;
}

function text(value: JsonObject[string]): string {
  return typeof value === "string" ? value : "";
}
