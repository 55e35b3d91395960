import type { DragomanClient } from "../../client/client.js";
import { wordsOf } from "../../core/error.js";
import type { Params, RpcPermissionRequest } from "../../protocol/schema.js";
import { acp } from "../checks.js";
import type { Peer } from "../peer.js";
import { type ElicitationModes, elicitationOf, fixedAnswers, questionText } from "./elicitation.js";
import { callView } from "./tool-call-view.js";

type Answer = Pick<Params<"permission.answer">, "answer" | "content">;

interface Option {
  optionId: string;
  name: string;
  kind: "allow_once" | "allow_always" | "reject_once";
  answer: Answer;
}

const permissionOptions: readonly Option[] = [
  { optionId: "once", name: "Allow once", kind: "allow_once", answer: { answer: "once" } },
  {
    optionId: "session",
    name: "Allow for this session",
    kind: "allow_always",
    answer: { answer: "session" },
  },
  { optionId: "never", name: "Deny", kind: "reject_once", answer: { answer: "never" } },
];

const DENIED: Answer = { answer: "never" };

export interface AskOptions {
  client: DragomanClient;
  peer: Peer;
  sessionId: string;
  cwd: string;
  elicitation: ElicitationModes;
  /** Aborts when the request was answered elsewhere. */
  signal: AbortSignal;
  onProblem(text: string, error?: unknown): void;
}

/**
 * Asks the client's user whether a tool may run, or what its MCP server wants to know, and passes the answer on. A client
 * that fails to ask answers nothing: other clients may still answer.
 */
export async function askPermission(request: RpcPermissionRequest, ask: AskOptions): Promise<void> {
  const { client, sessionId, elicitation, signal, onProblem } = ask;
  const form = elicitationOf(request, sessionId, elicitation);
  let given: Answer;
  try {
    given = await (form === undefined ? choose(request, ask) : elicit(form, ask));
  } catch (error) {
    if (!signal.aborted) onProblem(`the client did not answer a permission request: ${wordsOf(error)}`);
    return;
  }
  try {
    await client.call("permission.answer", { sessionKey: sessionId, id: request.id, ...given });
  } catch (error) {
    onProblem("could not pass on the answer to a permission request", error);
  }
}

async function elicit(form: object, { peer, signal }: AskOptions): Promise<Answer> {
  const given = await peer.request("elicitation/create", form, signal);
  const { action, content } = acp.parse("AcpElicitationAnswer", given);
  return action === "accept" ? { answer: "once", content: content ?? {} } : DENIED;
}

async function choose(request: RpcPermissionRequest, ask: AskOptions): Promise<Answer> {
  const { peer, sessionId, cwd, signal } = ask;
  const { toolCall, question } = request;
  const view = callView({ id: toolCall.id, name: toolCall.name, args: toolCall.arguments }, cwd);
  const all = question === undefined ? permissionOptions : questionOptions(question);
  const asked =
    question === undefined
      ? view
      : {
          ...view,
          title: questionText(question).split("\n", 1)[0] ?? view.title,
          content: [
            { type: "content" as const, content: { type: "text" as const, text: questionText(question) } },
          ],
        };
  const options = all.map(({ answer: _, ...option }) => option);
  const given = await peer.request(
    "session/request_permission",
    { sessionId, toolCall: asked, options },
    signal,
  );
  const { outcome } = acp.parse("AcpPermissionAnswer", given);
  if (outcome.outcome !== "selected") return DENIED;
  return all.find(({ optionId }) => optionId === outcome.optionId)?.answer ?? DENIED;
}

/** A question that needs typed text can only be declined here; clients with forms can still answer it. */
function questionOptions(question: NonNullable<RpcPermissionRequest["question"]>): Option[] {
  const accepting = fixedAnswers(question).map(
    ({ name, content }, index): Option => ({
      optionId: `accept-${index}`,
      name,
      kind: "allow_once",
      answer: { answer: "once", content },
    }),
  );
  return [...accepting, { optionId: "never", name: "Decline", kind: "reject_once", answer: DENIED }];
}
