import type { Api } from "../../../core/api/provider.js";
import type { JsonObject } from "../../../core/json/value.js";
import { noteMessage } from "../../../core/message/notes.js";
import type { Loss } from "../../../core/types.js";
import type { Conversation } from "../../../runtime/conversation.js";
import { fork } from "../../../runtime/copy.js";
import type { Runtime } from "../../../runtime/runtime.js";
import type { Gateway, HttpRequest } from "../../types.js";
import { AgentAnswer } from "../agent-answer.js";
import { emptyAnswer } from "../agent-events.js";
import { unservable } from "../failure.js";
import type { AgentCallState } from "../family.js";
import { echoRequest } from "./echo.js";
import { answerId, responseId } from "./ids.js";
import { noPreviousResponse } from "./refusals.js";
import type { ResponseStore, StoredResponse } from "./response-store.js";

const STORE_IGNORED: Loss = {
  at: "/store",
  what: '"store": false',
  why: "the session of an agent is always stored; only the response cannot be retrieved",
  severity: "dropped",
};

/** `previous_response_id` and `store` of a request to an agent. */
export async function agentCallState(
  { runtime, now }: Pick<Gateway, "runtime" | "now">,
  store: ResponseStore,
  { caller }: HttpRequest,
  body: JsonObject,
  agent: string,
): Promise<AgentCallState> {
  const { previous_response_id: previous, conversation } = body;
  if (conversation !== undefined && conversation !== null) {
    throw unservable(
      "/conversation",
      "an agent has its own session; continue it with previous_response_id or X-Dragoman-Session",
    );
  }
  return {
    conversation:
      previous === undefined || previous === null
        ? undefined
        : await continued(runtime, previous, agent, (id) => store.response(id, caller)),
    losses: body["store"] === false ? [STORE_IGNORED] : [],
    answerId: ({ session }, prompt) => answerId({ session: session.id, message: prompt }),
    async record(answering, prompt) {
      if (body["store"] === false) return;
      const { tools: _, ...response } = echoRequest({ model: body["model"] }, body);
      const data = { answer: prompt, token: caller.token, response };
      await answering.post(noteMessage({ type: "dragoman/response", data }, now()));
    },
  };
}

/** The session of a response, or a copy up to the response if the session has continued since. */
async function continued(
  runtime: Runtime,
  id: unknown,
  agent: string,
  find: (id: string) => Promise<StoredResponse | undefined>,
): Promise<Conversation> {
  if (typeof id !== "string") throw unservable("/previous_response_id", "expected the id of a response");
  const found = await find(id);
  if (found === undefined) throw noPreviousResponse(id);
  const { session, record, isAgents } = found;
  if (!isAgents || session.header.agent !== agent) {
    throw unservable("/previous_response_id", `the response is not one of agent/${agent}`);
  }
  const last = session.messages.findLast(({ role }) => role === "user");
  const conversation = await runtime.open(session.id);
  if (last?.id === record.answer) return conversation;
  const end = session.historyOf(record.answer).at(-1)?.id;
  const copy = await fork(runtime.log, conversation.session, end === undefined ? {} : { last: end });
  await copy.close();
  return runtime.open(copy.id);
}

/** An agent's response, from its session; `in_progress` until the agent has answered. */
export async function agentResponse(
  runtime: Runtime,
  api: Api,
  { session, record }: StoredResponse,
): Promise<JsonObject> {
  const { answer: prompt, response } = record;
  const { model } = response;
  const place = { session: session.id, message: prompt };
  const asked = session.message(prompt);
  const header = emptyAnswer(String(model), api.api, asked?.timestamp ?? 0, answerId(place));
  const answer = new AgentAnswer(header, prompt, () => undefined);
  answer.replay(prompt, await (await runtime.open(session.id)).messages());
  const whole = { ...api.response(answer.message), ...response, id: responseId(place) };
  return answer.ended ? whole : { ...whole, status: "in_progress", usage: null };
}
