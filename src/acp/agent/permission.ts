import type { DragomanClient } from "../../client/client.js";
import { wordsOf } from "../../core/error.js";
import type { RpcPermissionRequest } from "../../protocol/schema.js";
import { acp } from "../checks.js";
import type { Peer } from "../peer.js";
import { callView } from "./tool-call-view.js";

const options = [
  { optionId: "once", name: "Allow once", kind: "allow_once" },
  { optionId: "session", name: "Allow for this session", kind: "allow_always" },
  { optionId: "never", name: "Deny", kind: "reject_once" },
] as const;

export interface AskOptions {
  client: DragomanClient;
  peer: Peer;
  sessionId: string;
  cwd: string;
  /** Aborts when the request was answered elsewhere. */
  signal: AbortSignal;
  onProblem(text: string, error?: unknown): void;
}

/**
 * Asks the client's user whether a tool may run, and passes the answer on. A client that fails to ask answers nothing: other
 * clients may still answer.
 */
export async function askPermission(request: RpcPermissionRequest, ask: AskOptions): Promise<void> {
  const { client, peer, sessionId, cwd, signal, onProblem } = ask;
  const { id, toolCall } = request;
  const call = { id: toolCall.id, name: toolCall.name, args: toolCall.arguments };
  let answer: "once" | "session" | "never" | undefined;
  try {
    const params = { sessionId, toolCall: callView(call, cwd), options };
    const given = await peer.request("session/request_permission", params, signal);
    const { outcome } = acp.parse("AcpPermissionAnswer", given);
    const chosen = outcome.outcome === "selected" ? outcome.optionId : "never";
    answer = options.find(({ optionId }) => optionId === chosen)?.optionId ?? "never";
  } catch (error) {
    if (!signal.aborted) onProblem(`the client did not answer a permission request: ${wordsOf(error)}`);
  }
  if (answer === undefined) return;
  try {
    await client.call("permission.answer", { sessionKey: sessionId, id, answer });
  } catch (error) {
    onProblem("could not pass on the answer to a permission request", error);
  }
}
