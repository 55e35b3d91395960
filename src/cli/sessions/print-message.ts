import { lossLine, lossSummary } from "../../core/loss-words.js";
import { failureIn, isSilent } from "../../core/message/failure.js";
import { type LossRecord, noteOf } from "../../core/message/notes.js";
import { isPriceUnknown } from "../../core/message/usage.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  ToolResultMessage,
  UserContent,
} from "../../core/types.js";
import { MarkdownStream } from "../chat/markdown.js";
import type { Paint } from "../terminal/colour.js";
import { failureLine } from "../terminal/failure-line.js";
import { counted, format } from "../terminal/table.js";
import { plain, plainJson, plainLine } from "./plain.js";
import { money, tokens } from "./spending.js";
import { moment } from "./when.js";

export interface PrintOptions {
  paint: Paint;
  /** Of the terminal; undefined without one. */
  columns: number | undefined;
  thinking: boolean;
  ids: boolean;
  /** Every recorded loss, not only a summary. */
  losses: boolean;
}

const INDENT = "  ";
/** Tool results and other long texts are folded after this many lines. */
const FOLDED_LINES = 3;
const FOLDED_COLUMNS = 100;

/** Formats messages for reading. */
export class MessagePrinter {
  readonly #options: PrintOptions;
  readonly #paint: Paint;
  readonly #columns: number;

  constructor(options: PrintOptions) {
    this.#options = options;
    this.#paint = options.paint;
    this.#columns = Math.max(20, (options.columns ?? FOLDED_COLUMNS) - INDENT.length);
  }

  print(message: AgentMessage): string {
    const note = noteOf(message);
    if (note?.type === "dragoman/losses") return this.#losses(note.data);
    // A tool result belongs to the call above it.
    const heading = message.role === "toolResult" ? "" : `\n${this.#heading(message)}\n`;
    return heading + this.printRest(message);
  }

  /** The message without its heading. */
  printRest(message: AgentMessage): string {
    return this.#lines(message)
      .map((line) => `${line === "" ? "" : INDENT + line}\n`)
      .join("");
  }

  #losses(record: LossRecord): string {
    const rows = this.#options.losses
      ? record.losses.map((loss) => `${lossLine(loss)}${loss.at === "" ? "" : ` at ${loss.at}`}`)
      : [];
    const lines = [plainLine(lossSummary(record)), ...rows.map((row) => INDENT + plainLine(row))];
    return ["", ...lines.map((line) => this.#paint("dim", line)), ""].join("\n");
  }

  #heading(message: AgentMessage): string {
    const dim = [
      ...(message.timestamp > 0 ? [moment(message.timestamp)] : []),
      ...(message.role === "assistant" ? spentOn(message) : []),
      ...(this.#options.ids && message.id !== undefined ? [plainLine(message.id)] : []),
    ];
    return [this.#paint("bold", speakerOf(message)), ...dim.map((text) => this.#paint("dim", text))].join(
      "  ",
    );
  }

  #lines(message: AgentMessage): string[] {
    switch (message.role) {
      case "user":
        return this.#content(message.content);
      case "system":
        return this.#fold(textOf(message.content));
      case "assistant":
        if (isSilentFailure(message)) return this.#failure(message);
        return [...message.content.flatMap((block) => this.#block(block)), ...this.#ending(message)];
      case "toolResult":
        return this.#result(message);
      case "error":
        return this.#failure(message);
      case "status":
        return [plainLine([message.state, message.detail].filter((part) => part !== undefined).join(": "))];
      case "compaction":
        return this.#fold(message.summary);
      case "custom":
        return message.content === undefined
          ? this.#fold(plainJson(message.data ?? null))
          : this.#fold(textOf(message.content));
      case "agentComplete":
        return this.#fold(plainJson(message.result ?? null));
      case "agentMessage":
        return this.#fold(plainJson(message.payload ?? null));
      default:
        return this.#fold(plainJson(message));
    }
  }

  #content(content: string | readonly UserContent[]): string[] {
    if (typeof content === "string") return plain(content).trimEnd().split("\n");
    return content.flatMap((block) =>
      block.type === "text" ? plain(block.text).trimEnd().split("\n") : this.#block(block),
    );
  }

  #block(block: AssistantContent): string[] {
    switch (block.type) {
      case "text":
        return this.#markdown(block.text);
      case "thinking":
        if (!this.#options.thinking) return [];
        return plain(block.redacted === true ? "(withheld by the provider)" : block.thinking)
          .trimEnd()
          .split("\n")
          .map((line) => this.#paint("dim", `│ ${line}`));
      case "toolCall": {
        const call = `→ ${plainLine(block.name)} ${plainJson(block.arguments)}`;
        return [this.#paint("cyan", plainLine(call, this.#columns))];
      }
      case "opaque":
        return [this.#paint("dim", `[${plainLine(block.dialect)}-only content]`)];
      default:
        return [this.#paint("dim", `[${mediaOf(block)}]`)];
    }
  }

  #markdown(text: string): string[] {
    const { columns } = this.#options;
    const markdown = new MarkdownStream({
      width: columns === undefined ? Number.POSITIVE_INFINITY : this.#columns,
      coloured: this.#paint("bold", "") !== "",
    });
    return (markdown.push(text) + markdown.end()).trimEnd().split("\n");
  }

  #failure(message: AgentMessage): string[] {
    const failure = failureIn(message);
    return failure === undefined ? [] : [this.#paint("red", plainLine(failureLine(failure)))];
  }

  #ending({ stopReason, errorMessage }: AssistantMessage): string[] {
    if (stopReason === "stop" || stopReason === "toolUse") return [];
    const why = { length: "cut off at the length limit", aborted: "stopped", error: "failed" }[stopReason];
    const words = errorMessage === undefined ? why : `${why}: ${errorMessage}`;
    return [this.#paint("red", `(${plainLine(words, this.#columns)})`)];
  }

  #result({ id, toolName, content, isError }: ToolResultMessage): string[] {
    const [first = "", ...more] = this.#fold(textOf(content));
    const name = `← ${plainLine(toolName)}${isError ? " failed" : ""}`;
    const shownId = this.#options.ids && id !== undefined ? `  ${this.#paint("dim", plainLine(id))}` : "";
    const head = `${this.#paint(isError ? "red" : "dim", name)}  ${first}${shownId}`.trimEnd();
    return [head, ...more.map((line) => INDENT + line)];
  }

  #fold(text: string): string[] {
    const lines = plain(text).trimEnd().split("\n");
    const shown = lines.slice(0, FOLDED_LINES).map((line) => plainLine(line, this.#columns));
    const more = lines.length - shown.length;
    return more > 0 ? [...shown, this.#paint("dim", `… ${counted(more, "more line")}`)] : shown;
  }
}

function speakerOf(message: AgentMessage): string {
  switch (message.role) {
    case "user":
      return plainLine(message.sender ?? "user");
    case "assistant":
      if (isSilentFailure(message)) return "error";
      return plainLine(message.model === "" ? "assistant" : message.model);
    case "agentComplete":
      return `${plainLine(message.agentId)} finished`;
    case "agentMessage":
      return plainLine(message.senderId);
    case "compaction":
      return "summary of everything above, for the model";
    case "custom":
      return plainLine(message.customType);
    default:
      return plainLine(message.role);
  }
}

/** There is no answer to show, only a failure. */
function isSilentFailure(message: AssistantMessage): boolean {
  return isSilent(message) && failureIn(message) !== undefined;
}

function spentOn(message: AssistantMessage): string[] {
  const { usage } = message;
  if (usage.totalTokens === 0) return [];
  return [tokens(usage), ...(usage.cost.total === 0 ? [] : [money(usage, isPriceUnknown(message))])];
}

function textOf(content: string | readonly UserContent[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : `[${mediaOf(block)}]`)).join("\n");
}

function mediaOf(block: Exclude<UserContent, { type: "text" }>): string {
  if (block.type === "opaque") return `${plainLine(block.dialect)}-only content`;
  const { type, name, mimeType, url, data } = block;
  // Four base64 characters are three bytes.
  const size = data === undefined ? undefined : `${format(Math.floor((data.length * 3) / 4))} bytes`;
  return [type, name, mimeType, url, size]
    .filter((part) => part !== undefined)
    .map((part) => plainLine(part))
    .join(" ");
}
