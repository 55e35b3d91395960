import type { Context } from "../../core/api/provider.js";
import { sleep, systemClock } from "../../core/async/clock.js";
import { DragomanError } from "../../core/error.js";
import type { ConnectorEvent } from "../connectors.js";
import { failure } from "../failure.js";
import { countTokens, lastTurn, words } from "./words.js";

/**
 * Runs the script in the user's message, one step per line:
 *
 *     think: TEXT           thinking, word by word
 *     say: TEXT             text, word by word
 *     call: NAME {JSON}     a tool call
 *     malformed: NAME TEXT  a tool call with TEXT as its arguments, valid JSON or not
 *     wait: MS              sends nothing for MS milliseconds
 *     fail: STATUS          an HTTP error instead of an answer (429 is a rate limit)
 *     cut                   the stream is cut off
 *     stall                 the stream sends nothing more
 *     length                the answer ends because it is too long
 *     ---                   the rest is for the next answer, after the tools have run
 *
 * Text before the first step is skipped.
 */
export async function* script(
  context: Context,
  { signal = new AbortController().signal }: { signal?: AbortSignal },
): AsyncGenerator<ConnectorEvent> {
  const { question, since } = lastTurn(context, "\n");
  const turn = since.filter(({ role }) => role === "assistant").length;
  let calls = 0;
  for (const line of stepsOf(question, turn)) {
    const command = commandOf(line);
    const [, rest = ""] = /^\w+:?\s?(.*)/.exec(line) ?? [];
    switch (command) {
      case "think":
      case "say":
        yield* blockEvents(command === "say" ? "text" : "thinking", rest);
        break;
      case "call":
      case "malformed":
        yield* callEvents(rest, `call_${context.messages.length}_${calls++}`);
        break;
      case "wait":
        await sleep(systemClock, Number(rest), signal).catch(() => undefined);
        if (signal.aborted) return;
        break;
      case "fail":
        throw failure("provider/http", `HTTP ${rest}: as the script says`, {
          status: Number(rest),
          retryable: rest === "429" || rest.startsWith("5"),
        });
      case "cut":
        return;
      case "stall":
        await new Promise<void>((resolve) =>
          signal.addEventListener("abort", () => resolve(), { once: true }),
        );
        return;
      case "length":
        yield { type: "done", stopReason: "length", usage: countTokens(context, question) };
        return;
    }
  }
  yield { type: "done", stopReason: calls > 0 ? "toolUse" : "stop", usage: countTokens(context, question) };
}

const STEPS = ["think", "say", "call", "malformed", "wait", "fail", "cut", "stall", "length"];
/** Matches a step, but no line of prose. */
const STEP = /^(?:(?:think|say|call|malformed|wait|fail):|(?:cut|stall|length)$)/;

/** The steps of an answer. Reminders that coding agents add before a message are skipped. */
function stepsOf(question: string, turn: number): string[] {
  const part = question.split(/^---$/m)[turn] ?? "";
  const lines = part.split("\n").filter((line) => line.trim() !== "");
  const first =
    turn === 0
      ? Math.max(
          0,
          lines.findIndex((line) => STEP.test(line)),
        )
      : 0;
  const unknown = lines.findIndex((line, index) => index >= first && !STEPS.includes(commandOf(line)));
  if (unknown >= 0) {
    throw new DragomanError("model/invalid", `"${lines[unknown]}" is not a step of a script`, {
      line: unknown + 1,
      hint: `steps are ${STEPS.join(", ")} and ---`,
      details: { retryable: false },
    });
  }
  return lines.slice(first);
}

function commandOf(line: string): string {
  return /^\w+/.exec(line)?.[0] ?? "";
}

function* blockEvents(kind: "text" | "thinking", text: string): Generator<ConnectorEvent> {
  yield { type: `${kind}_start` };
  for (const delta of words(text)) yield { type: `${kind}_delta`, delta };
  yield { type: `${kind}_end` };
}

/** Sends the arguments unchecked; the reader parses them. */
function* callEvents(text: string, id: string): Generator<ConnectorEvent> {
  const space = text.indexOf(" ");
  const name = space < 0 ? text : text.slice(0, space);
  yield { type: "toolcall_start", id, name };
  for (const delta of words(space < 0 ? "{}" : text.slice(space + 1)))
    yield { type: "toolcall_delta", delta };
  yield { type: "toolcall_end" };
}
