import type { Context } from "../../core/api/provider.js";
import type { ConnectorEvent } from "../connectors.js";
import { countTokens, lastTurn, words } from "./words.js";

/** Says what the user said, word by word. */
export async function* echo(context: Context): AsyncGenerator<ConnectorEvent> {
  const { question } = lastTurn(context);
  for (const delta of words(question)) yield { type: "text_delta", delta };
  yield { type: "done", stopReason: "stop", usage: countTokens(context, question) };
}
