import type { CallOptions, Context } from "../../core/api/provider.js";
import type { ConnectorEvent } from "../connectors.js";
import { callTool } from "./call.js";
import { sampleJson } from "./sample.js";
import { countTokens, lastTurn, textOf, words } from "./words.js";

/** Thinks, calls every tool once, then reports their results; as JSON if the call asks for it. */
export async function* tools(
  context: Context,
  { toolChoice, output }: CallOptions,
): AsyncGenerator<ConnectorEvent> {
  const { question, since } = lastTurn(context);
  const results = since.filter((message) => message.role === "toolResult");
  const available = toolChoice === "none" ? [] : (context.tools ?? []);
  if (results.length === 0 && available.length > 0) {
    const thought = `I have ${available.map(({ name }) => name).join(", ")}. I will try ${available.length === 1 ? "it" : "them"}.`;
    for (const delta of words(thought)) yield { type: "thinking_delta", delta };
    yield { type: "thinking_end" };
    for (const [index, tool] of available.entries()) {
      yield* callTool(tool, `call_${context.messages.length}_${index}`, question);
    }
    yield { type: "done", stopReason: "toolUse", usage: countTokens(context, thought) };
    return;
  }
  const report =
    results.length === 0
      ? "I was given no tools."
      : results.map((result) => `${result.toolName} said: ${textOf(result)}`).join("\n");
  const answer = output === undefined ? report : sampleJson(output, report);
  for (const delta of words(answer)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, answer) };
}
