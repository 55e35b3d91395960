import type { ToolOutput, ToolRun } from "../../agent/types.js";
import { onAbort } from "../../core/async/on-abort.js";
import { newId } from "../../core/ids.js";
import type { AssistantMessage, LiveAssistantMessageEvent, UserMessage } from "../../core/types.js";
import { MAIN } from "../../runtime/agents.js";
import type { Conversation } from "../../runtime/conversation.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { mayUse } from "../auth/permit.js";
import { requireBudgetFor } from "../budgets.js";
import { agentEvents } from "../models/agent-events.js";
import { notFound, refuse } from "../refusals.js";
import { conversationNamed } from "../session-name.js";
import type { Caller, Gateway } from "../types.js";
import type { Question } from "./tools/ask-agent.js";

/** Clients show progress to people, who cannot read more than a few updates per second. */
const PROGRESS_MS = 500;
const PROGRESS_CHARACTERS = 200;

/** Sends a client's question to an agent. Aborting the run's signal aborts the agent. */
export async function answerQuestion(
  gateway: Gateway,
  caller: Caller,
  { message, agent = MAIN, session }: Question,
  run: ToolRun,
): Promise<ToolOutput> {
  const { runtime, now } = gateway;
  const conversation =
    session === undefined
      ? await runtime.beginAsked({ agent: requireAgent(gateway, caller, agent) })
      : await conversationNamed(runtime, session, caller);
  requireIdle(conversation);
  await requireBudgetFor(gateway, caller, conversation);
  const prompt: UserMessage & { id: string } = {
    role: "user",
    content: message,
    id: newId(),
    timestamp: now(),
  };
  const { events } = await agentEvents(gateway, {
    conversation,
    prompt: sentBy(caller.token, prompt, runtime.telemetry?.readContext({ ...run.trace })),
    idempotencyKey: undefined,
    model: `agent/${agent}`,
    api: "mcp",
    gone: run.signal,
    running: undefined,
    isStructured: false,
    state: undefined,
  });
  const stopListening = onAbort(run.signal, () => conversation.abort());
  try {
    return outputOf(conversation, await lastOf(events, run, now));
  } finally {
    stopListening();
  }
}

/** Refuses a session that is answering someone else: cancelling the call would stop their run. */
function requireIdle({ busy }: Conversation): void {
  if (!busy) return;
  throw refuse("conflict", "the session is answering another message; ask again when it has finished");
}

function requireAgent({ runtime }: Gateway, caller: Caller, agent: string): string {
  if (runtime.agents.ids.includes(agent) && mayUse(caller, agent)) return agent;
  throw notFound(`there is no agent ${JSON.stringify(agent)}`);
}

/** The whole answer. The end of the text so far is reported as progress. */
async function lastOf(
  events: AsyncIterable<LiveAssistantMessageEvent>,
  run: ToolRun,
  now: () => number,
): Promise<AssistantMessage> {
  let text = "";
  let reported = now();
  for await (const event of events) {
    if (event.type === "done") return event.message;
    if (event.type === "error") return event.error;
    if (event.type !== "text_delta") continue;
    text = `${text}${event.delta}`.slice(-PROGRESS_CHARACTERS);
    if (now() - reported < PROGRESS_MS) continue;
    reported = now();
    run.update({ content: text });
  }
  throw refuse("server_error", "the answer has no end");
}

function outputOf({ session }: Conversation, message: AssistantMessage): ToolOutput {
  const answer = message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
  const { stopReason, errorMessage } = message;
  const details = { session: session.id, answer };
  const failure =
    stopReason === "error" || stopReason === "aborted" ? (errorMessage ?? stopReason) : undefined;
  if (failure === undefined) return { content: `${answer}\n\n[session ${session.id}]`, details };
  const partial = answer === "" ? [] : [`The answer so far: ${answer}`];
  return {
    content: [`The agent failed: ${failure}`, ...partial, `[session ${session.id}]`].join("\n\n"),
    details,
    isError: true,
  };
}
