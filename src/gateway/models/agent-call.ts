import { optionPlace } from "../../core/api/option-table.js";
import type { CallOptions } from "../../core/api/provider.js";
import { newId } from "../../core/ids.js";
import type { JsonObject } from "../../core/json/value.js";
import { mayUse } from "../auth/permit.js";
import { notFound } from "../refusals.js";
import type { Gateway, HttpRequest } from "../types.js";
import { agentEvents } from "./agent-events.js";
import { earlierOf, promptOf } from "./client-context.js";
import { unservable } from "./failure.js";
import type { Family, ModelCall } from "./family.js";
import type { PendingAnswer } from "./reply.js";
import { SESSION_HEADER, sessionOf } from "./session.js";
import {
  checkEssentials,
  checkRequest,
  lossHeader,
  ownSettings,
  providerTools,
} from "./unsupported-fields.js";

const OWN_SETTINGS = "an agent answers as it is configured";

/** A message to one of our agents. Its run is the session's, and goes on when the client has gone. */
export async function agentCall(
  gateway: Gateway,
  family: Family,
  request: HttpRequest,
  asked: ModelCall,
  agent: string,
): Promise<PendingAnswer> {
  const { runtime, now } = gateway;
  if (!mayUse(request.caller, agent)) throw notFound(`there is no agent ${JSON.stringify(agent)}`);
  // Throws for an agent that does not exist.
  runtime.agents.modelOf(agent);
  checkRequest(family, asked.body);
  const body = family.api.clientTools?.asFunctions(asked.body) ?? asked.body;
  const { context, options } = family.api.readRequest(family.api.forwardable(body, asked.model, {}));
  checkAgentCall(family, asked.body, options);
  const state = await family.state?.ofAgentCall(request, asked.body, agent);
  const named = headerOf(request, SESSION_HEADER);
  if (named !== undefined && state?.conversation !== undefined) {
    throw unservable("", `the request names two sessions; leave out ${SESSION_HEADER}`);
  }
  const idempotencyKey = headerOf(request, "idempotency-key");
  if (idempotencyKey !== undefined && named === undefined && state?.conversation === undefined) {
    throw unservable("", `idempotency-key needs ${SESSION_HEADER}: a new session has nothing to repeat`);
  }
  // Before there is a session: a request that is refused leaves none behind.
  promptOf(context, true);
  const conversation = state?.conversation ?? (await sessionOf(runtime, agent, named, request.caller));
  const isFresh = !(await conversation.messages()).some(({ role }) => role === "user");
  const ignored = isFresh ? 0 : earlierOf(context.messages).length;
  const prompt = { ...promptOf(context, isFresh), id: newId(), timestamp: now() };
  const headers = {
    [SESSION_HEADER]: conversation.session.id,
    ...(ignored === 0 ? {} : { "x-dragoman-ignored-messages": String(ignored) }),
    ...lossHeader([...ownSettings(family, asked.body, options, OWN_SETTINGS), ...(state?.losses ?? [])]),
  };
  const events = await agentEvents(gateway, {
    conversation,
    prompt,
    idempotencyKey,
    model: asked.model,
    api: family.api.api,
    gone: request.signal,
    running: family.running,
    ...(state === undefined ? {} : { state }),
  });
  return { type: "events", events, headers: () => headers, isStored: true };
}

function checkAgentCall(family: Family, body: JsonObject, { output }: CallOptions): void {
  checkEssentials(family, body, OWN_SETTINGS);
  const [tool] = providerTools(family, body);
  if (tool !== undefined) throw unservable(tool.at, `${tool.what} cannot be served: ${OWN_SETTINGS}`);
  if (output === undefined) return;
  const at = optionPlace(family.api.options, "output", body)?.replace(/\/type$/, "") ?? "";
  throw unservable(at, `structured output cannot be served: ${OWN_SETTINGS}`);
}

function headerOf({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" && value !== "" ? value : undefined;
}
