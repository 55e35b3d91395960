import { DragomanError } from "../core/error.js";
import { guards, type Validator } from "../core/validate.js";
import * as generated from "./generated/validators.js";
import type { MethodName, Params, Result } from "./schema.js";

/** The checks of what goes over the wire, by the name of the schema. */
export const wire = guards(generated);

type Checks = {
  readonly [M in MethodName]: {
    readonly params: Validator<Params<M>>;
    readonly result: Validator<Result<M>>;
  };
};

export const checks: Checks = {
  connect: { params: generated.RpcConnectParams, result: generated.RpcConnectResult },
  health: { params: generated.RpcHealthParams, result: generated.RpcHealthResult },
  agent: { params: generated.RpcAgentParams, result: generated.RpcAgentResult },
  "agent.wait": { params: generated.RpcAgentWaitParams, result: generated.RpcAgentWaitResult },
  "chat.send": { params: generated.RpcChatSendParams, result: generated.RpcChatSendResult },
  "chat.history": { params: generated.RpcChatHistoryParams, result: generated.RpcChatHistoryResult },
  "chat.abort": { params: generated.RpcChatAbortParams, result: generated.RpcChatAbortResult },
  "chat.subscribe": { params: generated.RpcChatSubscribeParams, result: generated.RpcChatSubscribeResult },
  "chat.unsubscribe": {
    params: generated.RpcChatUnsubscribeParams,
    result: generated.RpcChatUnsubscribeResult,
  },
  "sessions.list": { params: generated.RpcSessionsListParams, result: generated.RpcSessionsListResult },
  "sessions.subscribe": {
    params: generated.RpcSessionsSubscribeParams,
    result: generated.RpcSessionsSubscribeResult,
  },
  "sessions.get": { params: generated.RpcSessionsGetParams, result: generated.RpcSessionsGetResult },
  "sessions.create": { params: generated.RpcSessionsCreateParams, result: generated.RpcSessionsCreateResult },
  "sessions.rename": { params: generated.RpcSessionsRenameParams, result: generated.RpcSessionsRenameResult },
  "sessions.model": { params: generated.RpcSessionsModelParams, result: generated.RpcSessionsModelResult },
  "sessions.fork": { params: generated.RpcSessionsForkParams, result: generated.RpcSessionsForkResult },
  "sessions.archive": {
    params: generated.RpcSessionsArchiveParams,
    result: generated.RpcSessionsArchiveResult,
  },
  "sessions.export": { params: generated.RpcSessionsExportParams, result: generated.RpcSessionsExportResult },
  "sessions.search": { params: generated.RpcSessionsSearchParams, result: generated.RpcSessionsSearchResult },
  "sessions.compact": {
    params: generated.RpcSessionsCompactParams,
    result: generated.RpcSessionsCompactResult,
  },
  "sessions.stats": { params: generated.RpcSessionsStatsParams, result: generated.RpcSessionsStatsResult },
  "models.list": { params: generated.RpcModelsListParams, result: generated.RpcModelsListResult },
  "agents.list": { params: generated.RpcAgentsListParams, result: generated.RpcAgentsListResult },
  "dialects.list": { params: generated.RpcDialectsListParams, result: generated.RpcDialectsListResult },
  "tools.list": { params: generated.RpcToolsListParams, result: generated.RpcToolsListResult },
  "channels.status": { params: generated.RpcChannelsStatusParams, result: generated.RpcChannelsStatusResult },
  "permission.answer": {
    params: generated.RpcPermissionAnswerParams,
    result: generated.RpcPermissionAnswerResult,
  },
};

/** Every method there is. */
export const methodNames = Object.keys(checks).filter(isMethod);

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(checks, name);
}

/** Returns the value, typed, or throws `model/invalid` saying where it is not what it should be. */
export function checked<T>(validator: Validator<T>, value: unknown, what: string): T {
  if (validator(value)) return value;
  const [first] = guards({ validator }).mismatches("validator", value);
  throw new DragomanError("model/invalid", `${what}: expected ${first?.expected}, found ${first?.found}`, {
    at: first?.at ?? "",
  });
}
