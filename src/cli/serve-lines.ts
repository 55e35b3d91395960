import { jsonIn } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { failureIn } from "../core/message/failure.js";
import { isPriceUnknown, sumUsage } from "../core/message/usage.js";
import type { AgentMessage, AssistantMessage } from "../core/types.js";
import type { Conversation } from "../runtime/conversation.js";
import type { Runtime } from "../runtime/runtime.js";
import type { ConversationEvent } from "../runtime/types.js";
import { duration } from "./chat/duration.js";
import { plainLine } from "./sessions/plain.js";
import { money } from "./sessions/spending.js";
import type { Paint } from "./terminal/colour.js";
import { failureLine } from "./terminal/failure-line.js";
import { format } from "./terminal/table.js";

export interface LinesOptions {
  paint: Paint;
  write(line: string): void;
  columns(): number;
  now(): number;
}

const SHOWN_TEXT = 400;

/** A line of the log for people: `17:40:12  ! channel cannot receive some messages yet: why`. */
export function readableLine(line: string, { paint, now }: Pick<LinesOptions, "paint" | "now">): string {
  const fields = jsonIn(line);
  if (!isObject(fields)) return plainLine(line);
  const { level, time, msg, err, ...rest } = fields;
  const error = isObject(err) ? String(err["message"]) : undefined;
  const details = Object.entries(rest).map(
    ([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const text = [String(msg), error, details.join(", ")]
    .filter((part) => part !== undefined && part !== "")
    .join(": ");
  const at = typeof time === "string" ? Date.parse(time) : now();
  const mark = level === "error" ? paint("red", "✗") : paint("yellow", "!");
  return `${clock(at, paint)}  ${mark} ${plainLine(text, SHOWN_TEXT)}`;
}

/** Prints a line for each message, run and failure of the conversations of a runtime. */
export function printRuns(runtime: Pick<Runtime, "watch">, options: LinesOptions): () => void {
  const watched = new Map<Conversation, () => void>();
  const leave = runtime.watch((conversation) => {
    if (watched.has(conversation) || !conversation.busy) return;
    const lines = new RunLines(conversation, options);
    const unwatch = conversation.watch((event) => {
      lines.observe(event);
      if (event.type !== "run_end" || conversation.busy) return;
      // What is not running is not kept in memory for the sake of this.
      unwatch();
      watched.delete(conversation);
    });
    watched.set(conversation, unwatch);
  });
  return () => {
    leave();
    for (const unwatch of watched.values()) unwatch();
  };
}

/** The lines of one conversation. */
class RunLines {
  readonly #options: LinesOptions;
  readonly #where: string;
  #since: number;
  #answers: AssistantMessage[] = [];
  #tools = 0;

  constructor({ session }: Conversation, options: LinesOptions) {
    this.#options = options;
    this.#since = options.now();
    // `agent:main:telegram:dm:42` is known to people as `main telegram:dm:42`.
    const { key, agent = "main" } = session.header;
    this.#where = `${agent} ${key?.replace(/^agent:[^:]*:/, "") ?? session.id.slice(0, 10)}`;
  }

  observe(event: ConversationEvent): void {
    if (event.type === "run_start") {
      this.#since = this.#options.now();
      this.#answers = [];
      this.#tools = 0;
    } else if (event.type === "agent" && event.event.type === "message_end")
      this.#observeMessage(event.event.message);
    else if (event.type === "permission") {
      this.#print(
        "yellow",
        "?",
        `needs your permission: ${event.request.toolCall.name} ${event.request.subject ?? ""}`,
      );
    } else if (event.type === "run_end") this.#observeEnd(event);
  }

  #observeMessage(message: AgentMessage): void {
    if (message.role === "user") this.#print("cyan", "›", textOf(message.content));
    else if (message.role === "toolResult") this.#tools++;
    else if (message.role === "assistant") this.#answers.push(message);
  }

  #observeEnd({ outcome, error }: Extract<ConversationEvent, { type: "run_end" }>): void {
    const took = duration(this.#options.now() - this.#since);
    const last = this.#answers.at(-1);
    if (outcome === "error") {
      const failure = last === undefined ? undefined : failureIn(last);
      this.#print(
        "red",
        "✗",
        `failed after ${took}: ${failure === undefined ? (error ?? "unknown") : failureLine(failure)}`,
      );
      return;
    }
    if (outcome === "aborted") {
      this.#print("yellow", "■", `stopped after ${took}`);
      return;
    }
    const { input, output, cacheRead, cacheWrite, cost } = sumUsage(this.#answers.map(({ usage }) => usage));
    const parts = [
      `answered in ${took}`,
      ...(last === undefined ? [] : [`${last.provider}/${last.model}`]),
      ...(this.#tools === 0 ? [] : [`${this.#tools} tool ${this.#tools === 1 ? "call" : "calls"}`]),
      `${format(input + output + cacheRead + cacheWrite)} tokens`,
      money({ cost }, this.#answers.some(isPriceUnknown)),
    ];
    this.#print("green", "●", parts.join(" · "));
  }

  #print(colour: Parameters<Paint>[0], mark: string, text: string): void {
    const { paint, write, columns, now } = this.#options;
    const head = `${clock(now(), paint)}  ${paint(colour, mark)} ${paint("dim", plainLine(this.#where, 40))}  `;
    // What a person has to act on is not shortened.
    const isCut = colour === "cyan" || colour === "green";
    const room = isCut ? columns() - 14 - Math.min(this.#where.length, 40) : Number.POSITIVE_INFINITY;
    write(`${head}${plainLine(text, Math.max(room, 20))}`);
  }
}

function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map(({ type, text }) => (type === "text" ? (text ?? "") : `[${type}]`)).join(" ");
}

/** `17:40:12`, in the time zone of the reader. */
function clock(time: number, paint: Paint): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
  return paint("dim", parts.map((part) => String(part).padStart(2, "0")).join(":"));
}
