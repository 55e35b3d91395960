import type { JsonObject } from "../../core/json/value.js";
import { loadEndpoint } from "../../dialects/registry.js";
import { AGENT_PREFIX } from "../../runtime/model-names.js";
import { budgetHeaders } from "../budgets.js";
import type { Gateway, HttpReply, HttpRequest } from "../types.js";
import { agentCall } from "./agent-call.js";
import { calledModel } from "./called-model.js";
import { asRefusal } from "./failure.js";
import type { Family, ModelCall, NamedFamily } from "./family.js";
import { plainCall } from "./plain-call.js";
import { type PendingAnswer, type ReadyAnswer, reply } from "./reply.js";

/** Real servers send a keep-alive about every ten seconds; proxies disconnect after a minute. */
const SILENCE_MS = 15_000;

export interface ModelOptions {
  silenceMs?: number;
}

/** Answers a request: `agent/<id>` is one of our agents, any other name a model. The answer has the client's name for it. */
export type ServeCall = (family: NamedFamily, request: HttpRequest, asked: ModelCall) => Promise<HttpReply>;

export function makeServeCall(gateway: Gateway, { silenceMs = SILENCE_MS }: ModelOptions): ServeCall {
  return async (named, request, asked) => {
    const model = calledModel(gateway.runtime, named, asked.model);
    const kind = model.startsWith(AGENT_PREFIX) ? "agent" : "plain";
    gateway.metrics.count("dragoman_model_requests_total", { api: named.api, kind });
    const family = { ...named, api: await loadEndpoint(named.api, named.endpoint) };
    try {
      const { answering, shown } = await startCall(gateway, family, request, { ...asked, model }, asked);
      const call = { ...asked, body: shown };
      const replied = await reply({ gateway, family, call, silenceMs }, answering);
      const budget = await budgetHeaders(gateway, request.caller);
      return { ...replied, headers: { ...replied.headers, ...budget } };
    } catch (error) {
      throw asRefusal(error, await budgetHeaders(gateway, request.caller));
    }
  };
}

/** The answer, and the request as answers repeat it. */
interface StartedCall {
  answering: PendingAnswer | ReadyAnswer;
  shown: JsonObject;
}

async function startCall(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  resolved: ModelCall,
  asked: ModelCall,
): Promise<StartedCall> {
  const { model } = resolved;
  if (model.startsWith(AGENT_PREFIX)) {
    const agent = model.slice(AGENT_PREFIX.length);
    return { answering: await agentCall(gateway, family, request, resolved, agent), shown: asked.body };
  }
  const state = await family.state?.ofCall(family, request, asked);
  const answering = plainCall(gateway, family, request, resolved, state);
  return { answering, shown: state?.shown ?? asked.body };
}
