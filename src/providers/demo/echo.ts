import type { CallOptions, Context } from "../../core/api/provider.js";
import type { ConnectorEvent } from "../connectors.js";
import { sampleOf } from "./sample.js";
import { countTokens, lastTurn, words } from "./words.js";

/** Repeats the user's message word by word; as JSON if the call asks for it. Stop sequences end it. */
export async function* echo(
  context: Context,
  { output, stop = [] }: CallOptions,
): AsyncGenerator<ConnectorEvent> {
  const { question } = lastTurn(context);
  const answer = untilStop(output === undefined ? question : jsonAnswer(output, question), stop);
  for (const delta of words(answer)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, answer) };
}

function jsonAnswer(output: NonNullable<CallOptions["output"]>, question: string): string {
  return JSON.stringify(output === "json" ? { text: question } : sampleOf(output.schema, question));
}

function untilStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
