import type { ToolOutput } from "../../agent/types.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { UserContent } from "../../core/types.js";
import { unifiedDiff } from "../../tools/unified-diff.js";
import { contentOf } from "../agent/content.js";
import { acp } from "../checks.js";
import type { AcpToolCall } from "../wire.js";

/** A tool call that a program makes by itself. Its updates are merged: each has only what changes. */
export class ForeignCall {
  readonly id: string;
  /** Everything that the program sent about it, unknown fields included. */
  readonly raw: JsonObject = {};
  /** Called with progress; assigned while our log waits for the result. */
  onProgress: (() => void) | undefined;
  readonly ended: Promise<void>;
  #end: () => void = () => undefined;
  #state: AcpToolCall;

  constructor(id: string) {
    this.id = id;
    this.#state = { toolCallId: id };
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** The tool's name; programs that have none send at least its kind. */
  get name(): string {
    return this.#state.name ?? this.kind;
  }

  get kind(): string {
    return this.#state.kind ?? "other";
  }

  get title(): string {
    return this.#state.title ?? this.name;
  }

  get arguments(): JsonObject {
    const { rawInput } = this.#state;
    if (isObject(rawInput)) return rawInput;
    return rawInput === undefined || rawInput === null ? {} : { input: rawInput };
  }

  /** What a permission rule's pattern is matched with: the command, or the path. */
  get subject(): string {
    const { command, file_path: path } = this.arguments;
    const [first] = this.#state.locations ?? [];
    const words = Array.isArray(command) ? command.join(" ") : command;
    return [words, path, first?.path].find((value) => typeof value === "string") ?? this.title;
  }

  get isCommand(): boolean {
    return this.kind === "execute" || typeof this.arguments["command"] === "string";
  }

  /** Whether it runs or has run. */
  get hasStarted(): boolean {
    const { status } = this.#state;
    return status === "in_progress" || this.hasEnded;
  }

  get hasEnded(): boolean {
    const { status } = this.#state;
    return status === "completed" || status === "failed";
  }

  /** Merges an update; null and missing fields change nothing. */
  apply(update: AcpToolCall): void {
    const fields = Object.entries(update).filter(
      ([name, value]) => name !== "sessionUpdate" && value != null,
    );
    const set = Object.fromEntries(fields);
    Object.assign(this.raw, set);
    this.#state = { ...this.#state, ...set };
    if (this.hasEnded) this.#end();
    else this.onProgress?.();
  }

  /** The program has ended its turn without a result of this call. */
  abandon(): void {
    this.#end();
  }

  /** What the program has reported so far. */
  progress(): { content: UserContent[]; details?: unknown } {
    const { content, rawOutput } = this.#state;
    const shown = (content ?? []).flatMap(shownContent);
    const details = rawOutput === undefined ? {} : { details: rawOutput };
    return { content: shown.length > 0 ? shown : textOf(rawOutput), ...details };
  }

  output(): ToolOutput {
    const { content, ...details } = this.progress();
    if (this.hasEnded) return { content, ...details, isError: this.#state.status === "failed" };
    const missing: UserContent = { type: "text", text: "the agent program did not report a result" };
    return { content: [...content, missing], ...details, isError: true };
  }
}

function shownContent(item: JsonObject): UserContent[] {
  switch (item["type"]) {
    case "content": {
      const checked = acp.check("AcpContentBlock", item["content"]);
      return "value" in checked ? [contentOf(checked.value)] : textOf(item["content"]);
    }
    case "diff": {
      const { path, oldText, newText } = item;
      if (typeof path !== "string" || typeof newText !== "string") return textOf(item);
      const before = typeof oldText === "string" ? oldText : "";
      return [{ type: "text", text: unifiedDiff(path.replace(/^\//, ""), before, newText) }];
    }
    default:
      return textOf(item);
  }
}

function textOf(value: unknown): UserContent[] {
  if (value === undefined || value === null || value === "") return [];
  return [{ type: "text", text: typeof value === "string" ? value : JSON.stringify(value) }];
}
