import { newId } from "../../core/ids.js";
import type { JsonObject } from "../../core/json/value.js";
import { fallbacksIn } from "../../core/message/fallbacks.js";
import { withOutput } from "../../core/message/requested-output.js";
import { sentBy } from "../../runtime/sent-mark.js";
import { mayUse } from "../auth/permit.js";
import { requireBudget } from "../budgets.js";
import { notFound } from "../refusals.js";
import type { Gateway, HttpRequest } from "../types.js";
import { agentEvents } from "./agent-events.js";
import { earlierOf, promptOf } from "./client-context.js";
import { unservable } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import { modelHeaders } from "./model-headers.js";
import type { PendingAnswer, ReadyAnswer } from "./reply.js";
import { SESSION_HEADER, sessionOf } from "./session.js";
import {
  checkEssentials,
  checkRequest,
  lossHeader,
  ownSettings,
  providerTools,
} from "./unsupported-fields.js";

const OWN_SETTINGS = "an agent answers as it is configured";

/** Sends a message to one of our agents. The run belongs to the session, and continues when the client disconnects. */
export async function agentCall(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
  agent: string,
): Promise<PendingAnswer | ReadyAnswer> {
  const { runtime, now } = gateway;
  if (!mayUse(request.caller, agent)) throw notFound(`there is no agent ${JSON.stringify(agent)}`);
  // Throws for an agent that does not exist.
  const model = runtime.agents.modelOf(agent);
  const ready = family.idleReply?.(asked, now());
  if (ready !== undefined) return { ready };
  checkRequest(family, asked.body);
  const body = family.api.clientTools?.asFunctions(asked.body) ?? asked.body;
  const { context, options } = family.api.readRequest(family.api.forwardable(body, asked.model, {}));
  const { output, ...ignoredOptions } = options;
  checkAgentCall(family, asked.body);
  const state = await family.state?.ofAgentCall(request, asked.body, agent);
  const named = headerOf(request, SESSION_HEADER);
  if (named !== undefined && state?.conversation !== undefined) {
    throw unservable("", `the request names two sessions; leave out ${SESSION_HEADER}`);
  }
  const idempotencyKey = headerOf(request, "idempotency-key");
  if (idempotencyKey !== undefined && named === undefined && state?.conversation === undefined) {
    throw unservable("", `idempotency-key needs ${SESSION_HEADER}: a new session has nothing to repeat`);
  }
  // Before a session is created, so that a refused request leaves none behind.
  promptOf(context, true);
  await requireBudget(gateway, request.caller, model);
  const conversation = state?.conversation ?? (await sessionOf(runtime, agent, named, request.caller));
  const isNew = !(await conversation.messages()).some(({ role }) => role === "user");
  const ignored = isNew ? 0 : earlierOf(context.messages).length;
  const message = { ...promptOf(context, isNew), id: newId(), timestamp: now() };
  const trace = runtime.telemetry?.readContext(request.headers);
  const prompt = sentBy(request.caller.token, withOutput(message, output), trace);
  const headers = {
    [SESSION_HEADER]: conversation.session.id,
    ...(ignored === 0 ? {} : { "x-dragoman-ignored-messages": String(ignored) }),
    ...lossHeader([
      ...ownSettings(family, asked.body, ignoredOptions, OWN_SETTINGS),
      ...(state?.losses ?? []),
    ]),
  };
  const { events, answeredBy } = await agentEvents(gateway, {
    conversation,
    prompt,
    idempotencyKey,
    model: asked.model,
    api: family.api.api,
    gone: request.client.signal,
    running: family.running,
    isStructured: (output ?? runtime.agents.outputOf(agent)) !== undefined,
    state,
  });
  return {
    pieces: events,
    headers: () => {
      const message = answeredBy();
      return message === undefined ? headers : { ...headers, ...modelHeaders(message, fallbacksIn(message)) };
    },
    isStored: true,
  };
}

function checkAgentCall(family: Family, body: JsonObject): void {
  checkEssentials(family, body, OWN_SETTINGS);
  const [tool] = providerTools(family, body);
  if (tool !== undefined) throw unservable(tool.at, `${tool.what} cannot be served: ${OWN_SETTINGS}`);
}

function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
