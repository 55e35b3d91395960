import { failureIn } from "../../core/message/failure.js";
import type {
  AgentEvent,
  AgentMessage,
  AssistantMessage,
  AssistantMessageEvent,
  ErrorMessage,
} from "../../core/types.js";
import { terminalStyle } from "../../markdown/terminal-style.js";
import { WordWrap, wrap } from "../../markdown/word-wrap.js";
import { plain } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { failureLine } from "../terminal/failure-line.js";
import { counted } from "../terminal/table.js";
import { fallbackNotice } from "./fallback-notice.js";
import { MarkdownStream } from "./markdown.js";
import { contentOf, toolLines } from "./tool-lines.js";

export interface ViewOptions {
  write(text: string): void;
  paint: Paint;
  coloured: boolean;
  columns(): number;
  /** Whether thinking is shown in full. */
  thinking(): boolean;
  now?: () => number;
}

/** Sections of different kinds are separated by a blank line. */
type Section = "user" | "text" | "note";

/** A block that is shown while it streams. */
interface OpenBlock {
  index: number;
  push(delta: string): void;
  end(): void;
}

/** Shows a conversation in a terminal: answers while they stream, thinking and tool calls folded. */
export class AnswerView {
  readonly #options: ViewOptions;
  readonly #now: () => number;
  readonly #calls = new Map<string, { args: unknown; since: number }>();
  #section: Section | undefined;
  #open: OpenBlock | undefined;

  constructor(options: ViewOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  observe(event: AgentEvent): void {
    switch (event.type) {
      case "message_update":
        this.#observeStep(event.assistantMessageEvent);
        return;
      case "message_end":
        this.#closeBlock();
        this.#showEnd(event.message);
        return;
      case "tool_execution_start":
        this.#calls.set(event.toolCallId, { args: event.args, since: this.#now() });
        return;
      case "tool_execution_end": {
        const { toolCallId, toolName: name, result, isError } = event;
        const { args, since } = this.#calls.get(toolCallId) ?? { args: undefined, since: this.#now() };
        this.#calls.delete(toolCallId);
        this.showNotes(
          toolLines(
            { name, args, content: contentOf(result), isError, ms: this.#now() - since },
            this.#style,
          ),
        );
        return;
      }
      default:
    }
  }

  /** Excludes the time a permission request was pending from tool durations. */
  restartClocks(): void {
    for (const call of this.#calls.values()) call.since = this.#now();
  }

  /** Shows a complete, earlier message. */
  showPast(message: AgentMessage): void {
    if (message.role === "assistant") {
      for (const [index, block] of message.content.entries()) {
        if (block.type === "text") this.#showBlock(index, "text", block.text);
        else if (block.type === "toolCall") this.#calls.set(block.id, { args: block.arguments, since: 0 });
      }
    } else if (message.role === "toolResult") {
      const { toolCallId, toolName: name, content, isError } = message;
      const args = this.#calls.get(toolCallId)?.args;
      this.#calls.delete(toolCallId);
      this.showNotes(toolLines({ name, args, content, isError }, this.#style));
    }
    this.#showEnd(message);
    if (message.role === "assistant" && message.stopReason === "aborted") this.showStopped();
  }

  showStopped(): void {
    this.showNotes([this.#options.paint("yellow", "stopped")]);
  }

  /** Shows a typed command, which is not a message. */
  showCommand(text: string): void {
    this.#begin("user");
    this.#options.write(`${this.#options.paint("dim", `› ${plain(text)}`)}\n\n`);
    this.#section = undefined;
  }

  /** Shows lines that are not part of the conversation. */
  showNotes(lines: readonly string[]): void {
    this.#closeBlock();
    this.#begin("note");
    this.#options.write(lines.map((line) => `${line}\n`).join(""));
  }

  get #style() {
    return { paint: this.#options.paint, columns: this.#options.columns() };
  }

  #begin(section: Section): void {
    if (this.#section !== undefined && (this.#section !== section || section === "user")) {
      this.#options.write("\n");
    }
    this.#section = section;
  }

  #observeStep(event: AssistantMessageEvent): void {
    switch (event.type) {
      case "text_start":
      case "thinking_start":
        // Of concurrent blocks one is shown while it streams, the others when they end.
        this.#open ??= this.#openBlock(event.contentIndex, event.type === "text_start" ? "text" : "thinking");
        return;
      case "text_delta":
      case "thinking_delta":
        if (this.#open?.index === event.contentIndex) this.#open.push(event.delta);
        return;
      case "text_end":
      case "thinking_end":
        if (this.#open?.index === event.contentIndex) this.#closeBlock();
        else
          this.#showBlock(event.contentIndex, event.type === "text_end" ? "text" : "thinking", event.content);
        return;
      case "block_end":
        this.showNotes([this.#options.paint("dim", `[${plain(event.block.type)}]`)]);
        return;
      default:
    }
  }

  #showBlock(index: number, kind: "text" | "thinking", content: string): void {
    this.#closeBlock();
    this.#open = this.#openBlock(index, kind);
    this.#open.push(content);
    this.#closeBlock();
  }

  #closeBlock(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.end();
  }

  #openBlock(index: number, kind: "text" | "thinking"): OpenBlock {
    if (kind === "text") return this.#openText(index);
    return this.#options.thinking() ? this.#openThinking(index) : this.#openFoldedThinking(index);
  }

  #openText(index: number): OpenBlock {
    const { write, coloured, columns } = this.#options;
    const markdown = new MarkdownStream({ width: columns(), coloured });
    const show = (text: string) => {
      if (text === "") return;
      this.#begin("text");
      write(text);
    };
    return {
      index,
      push: (delta) => show(markdown.push(delta)),
      end: () => show(markdown.end()),
    };
  }

  /** Writes whole lines, because each is indented. */
  #openThinking(index: number): OpenBlock {
    const { write, paint, columns } = this.#options;
    const markdown = new MarkdownStream({ width: columns() - 2, coloured: false });
    let line = "";
    const show = (text: string) => {
      const lines = (line + text).split("\n");
      line = lines.pop() ?? "";
      if (lines.length === 0) return;
      this.#begin("note");
      write(lines.map((one) => (one === "" ? "\n" : `  ${paint("dim", one)}\n`)).join(""));
    };
    return {
      index,
      push: (delta) => show(markdown.push(delta)),
      end: () => show(markdown.end()),
    };
  }

  #openFoldedThinking(index: number): OpenBlock {
    let length = 0;
    return {
      index,
      push: (delta) => {
        length += delta.length;
      },
      end: () => {
        if (length === 0) return;
        this.#begin("note");
        this.#options.write(`${this.#options.paint("dim", `✻ thought: ${counted(length, "character")}`)}\n`);
      },
    };
  }

  /** Shows what was not shown while the message streamed. */
  #showEnd(message: AgentMessage): void {
    const { paint } = this.#options;
    switch (message.role) {
      case "user":
        this.#showUser(typeof message.content === "string" ? message.content : textAndKinds(message.content));
        return;
      case "assistant": {
        this.#showFailure(message);
        const notice = fallbackNotice(message);
        if (notice !== undefined) this.showNotes([paint("dim", notice)]);
        return;
      }
      case "error":
        this.#showFailure(message);
        return;
      case "compaction":
        this.showNotes([paint("dim", "earlier messages were summarised for the model; /undo reverts this")]);
        return;
      default:
    }
  }

  #showUser(text: string): void {
    const { paint, write, columns, coloured } = this.#options;
    this.#begin("user");
    const words = new WordWrap(columns());
    const marks = [terminalStyle(coloured).bold];
    for (const [index, line] of plain(text).split("\n").entries()) {
      words.begin(2, "  ");
      write(`${index === 0 ? paint("cyan", "›") : " "} ${words.push({ text: line, marks })}${words.end()}\n`);
    }
  }

  #failed(why: string): void {
    const { paint, columns } = this.#options;
    this.showNotes(wrap(plain(why), columns()).map((line) => paint("red", line)));
  }

  #showFailure(message: AssistantMessage | ErrorMessage): void {
    const { paint } = this.#options;
    const failure = failureIn(message);
    if (failure !== undefined) this.#failed(failureLine(failure));
    if (message.role === "assistant" && message.stopReason === "length") {
      this.showNotes([paint("yellow", "the answer reached its length limit")]);
    }
  }
}

function textAndKinds(blocks: readonly { type: string; text?: string }[]): string {
  return blocks.map(({ type, text }) => (type === "text" ? (text ?? "") : `[${type}]`)).join("\n");
}
