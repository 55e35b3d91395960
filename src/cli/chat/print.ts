import { failureIn } from "../../core/message/failure.js";
import { eventLine } from "../../core/stream/event-line.js";
import { messageEvents } from "../../core/stream/events.js";
import type { AgentEvent, AgentMessage } from "../../core/types.js";
import type { ConversationEvent } from "../../runtime/types.js";
import { usageError } from "../arguments.js";
import { plain } from "../sessions/plain.js";
import { painter, wantsColour } from "../terminal/colour.js";
import { columnsOf } from "../terminal/columns.js";
import { failureLine } from "../terminal/failure-line.js";
import { reportLine } from "../terminal/report-line.js";
import { onFirstSignal } from "../terminal/signals.js";
import { withImages } from "./attachments.js";
import { fallbackNotice } from "./fallback-notice.js";
import { lossNotice } from "./loss-notice.js";
import { MarkdownStream } from "./markdown.js";
import { messagesFrom, type Talk } from "./talk.js";
import { contentOf, type EndedCall, toolLines } from "./tool-lines.js";

export interface PrintOptions {
  json: boolean;
  /** Whether each line of JSON includes the message so far. */
  partial: boolean;
  thinking: boolean;
  greeting?: string;
  noColour: boolean | undefined;
  /** The command that continues a session. */
  resume(id: string): string;
}

/** Asks once, and prints the answer to standard output and everything else to standard error. */
export async function print(talk: Talk, prompt: string, options: PrintOptions): Promise<number> {
  if (prompt === "" && talk.current === undefined) {
    throw usageError("nothing to ask: give a PROMPT, or pipe text to standard input");
  }
  if (options.greeting !== undefined) reportLine(options.greeting);
  const conversation = await talk.begin();
  const columns = columnsOf(process.stderr) ?? 100;
  const paint = painter(wantsColour(process.stderr, process.env, options.noColour));
  const show = options.json
    ? (event: AgentEvent) => writeJsonLine(options.partial ? event : eventLine(event))
    : textPrinter(options, (call) => {
        for (const line of toolLines(call, { paint, columns })) reportLine(line);
      });
  let failure: string | undefined;
  let runs = 0;
  conversation.watch((event) => {
    if (event.type === "run_start") runs++;
    if (event.type === "agent") show(event.event);
    if (!options.json && event.type === "agent" && event.event.type === "message_end") {
      const notice = fallbackNotice(event.event.message);
      if (notice !== undefined) reportLine(paint("dim", notice));
    }
    if (event.type === "losses") {
      if (options.json) writeJsonLine(event);
      else if (event.border === "request")
        reportLine(paint("dim", lossNotice(event, conversation.session.id)));
    }
    failure = failureAfter(event, failure);
  });
  const stopped = onFirstSignal(() => conversation.abort());
  if (prompt === "") {
    await conversation.resume();
    if (runs === 0) throw usageError("nothing to ask, and no message in the session is unanswered");
  } else {
    const asked = { role: "user" as const, content: prompt, timestamp: Date.now() };
    const typed = await withImages(asked, await talk.workspace());
    const { message } = await conversation.send(await talk.runtime.expandMentions(talk.agent, typed));
    await conversation.idle();
    const others = runs === 0 ? await messagesFrom(conversation, message.id) : [];
    for (const other of others) {
      for (const event of messageEvents(other)) show(event);
      failure = failureOf(other, failure);
    }
  }
  const code = stopped();
  if (code === undefined && failure !== undefined) reportLine(`dragoman: ${plain(failure)}`);
  reportLine(paint("dim", `continue with: ${options.resume(conversation.session.id)}`));
  return code ?? (failure === undefined ? 0 : 1);
}

/** The reason for a missing answer, updated after each event. */
function failureAfter(seen: ConversationEvent, before: string | undefined): string | undefined {
  if (seen.type === "run_end" && seen.outcome === "error") return before ?? seen.error;
  if (seen.type !== "agent" || seen.event.type !== "message_end") return before;
  return failureOf(seen.event.message, before);
}

function failureOf(message: AgentMessage, before: string | undefined): string | undefined {
  const failure = failureIn(message);
  if (failure !== undefined) return failureLine(failure);
  return message.role === "assistant" ? undefined : before;
}

function writeJsonLine(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Byte for byte into a pipe; rendered on a terminal, which must not receive untrusted text. */
function textPrinter(
  { thinking, noColour }: PrintOptions,
  onCall: (call: EndedCall) => void,
): (event: AgentEvent) => void {
  const { stdout } = process;
  const coloured = wantsColour(stdout, process.env, noColour);
  const calls = new Map<string, { args: unknown; since: number }>();
  let block: Pick<MarkdownStream, "push" | "end"> | undefined;
  let begun = false;
  const close = () => {
    if (block !== undefined) stdout.write(block.end());
    block = undefined;
  };
  return (event) => {
    switch (event.type) {
      case "message_update": {
        const step = event.assistantMessageEvent;
        if (step.type === "text_start") {
          close();
          if (begun) stdout.write("\n");
          begun = true;
          block = stdout.isTTY
            ? new MarkdownStream({ width: columnsOf(stdout) ?? Number.POSITIVE_INFINITY, coloured })
            : new RawText();
        }
        if (step.type === "text_delta" && block !== undefined) stdout.write(block.push(step.delta));
        if (step.type === "text_end") close();
        if (step.type === "thinking_end" && thinking && step.content !== "") reportLine(plain(step.content));
        return;
      }
      case "message_end":
        close();
        return;
      case "tool_execution_start":
        calls.set(event.toolCallId, { args: event.args, since: Date.now() });
        return;
      case "tool_execution_end": {
        const { toolCallId, toolName: name, result, isError } = event;
        const { args, since = Date.now() } = calls.get(toolCallId) ?? {};
        onCall({ name, args, content: contentOf(result), isError, ms: Date.now() - since });
        return;
      }
      default:
    }
  };
}

/** Unchanged text, with a final newline added if missing. */
class RawText {
  #last = "";

  push(delta: string): string {
    this.#last = delta.at(-1) ?? this.#last;
    return delta;
  }

  end(): string {
    return this.#last === "" || this.#last === "\n" ? "" : "\n";
  }
}
