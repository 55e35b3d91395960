import type { CallOptions, Context } from "../../core/api/provider.js";
import type { ConnectorEvent } from "../connectors.js";
import { sampleJson } from "./sample.js";
import { countTokens, lastTurn, words } from "./words.js";

/** Says what the user said, word by word; as JSON if that is asked for. Stop sequences end it. */
export async function* echo(
  context: Context,
  { output, stop = [] }: CallOptions,
): AsyncGenerator<ConnectorEvent> {
  const { question } = lastTurn(context);
  const answer = untilStop(output === undefined ? question : sampleJson(output, question), stop);
  for (const delta of words(answer)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, answer) };
}

function untilStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((sequence) => text.indexOf(sequence)).filter((index) => index >= 0);
  return text.slice(0, Math.min(text.length, ...ends));
}
