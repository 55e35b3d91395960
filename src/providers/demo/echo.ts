import type { CallOptions, Context, ToolSpec } from "../../core/api/provider.js";
import type { ConnectorEvent } from "../connectors.js";
import { callTool } from "./call.js";
import { sampleJson } from "./sample.js";
import { countTokens, lastTurn, words } from "./words.js";

/**
 * Repeats the user's message word by word; as JSON if the call asks for it, or as the arguments of a required tool. Stop
 * sequences end it.
 */
export async function* echo(
  context: Context,
  { output, stop = [], toolChoice }: CallOptions,
): AsyncGenerator<ConnectorEvent> {
  const { question } = lastTurn(context);
  const required = requiredTool(context, toolChoice);
  if (required !== undefined) {
    yield* callTool(required, `call_${context.messages.length}_0`, question);
    yield { type: "done", stopReason: "toolUse", usage: countTokens(context, question) };
    return;
  }
  const answer = untilStop(output === undefined ? question : sampleJson(output, question), stop);
  for (const delta of words(answer)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, answer) };
}

/** The tool that the caller names, or the first one if any must be called. */
function requiredTool({ tools = [] }: Context, choice: CallOptions["toolChoice"]): ToolSpec | undefined {
  if (choice === "any") return tools[0];
  return typeof choice === "object" ? tools.find(({ name }) => name === choice.name) : undefined;
}

function untilStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
