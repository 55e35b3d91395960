import { isNumber, isString, type JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import type { AgentMessage, AssistantMessage, SessionMessage, StopReason, Usage } from "../../core/types.js";
import {
  AGENT,
  CACHE_READ,
  CACHE_WRITE,
  CONVERSATION,
  FINISH_REASONS,
  INPUT_TOKENS,
  OUTPUT_TOKENS,
  PROVIDER,
  REQUEST_MODEL,
  RESPONSE_MODEL,
} from "./wire.js";

const finishReasons: Record<StopReason, string> = {
  stop: "stop",
  length: "length",
  toolUse: "tool_call",
  error: "error",
  // The conventions have no reason for it; any text is allowed.
  aborted: "aborted",
};

export function finishReasonOf(message: AssistantMessage): string | undefined {
  return isSynthesised(message, "/stopReason") ? undefined : finishReasons[message.stopReason];
}

export function stopReasonIn(value: unknown): StopReason | undefined {
  switch (value) {
    case "stop":
    case "length":
    case "error":
    case "aborted":
      return value;
    case "tool_call":
      return "toolUse";
    default:
      return undefined;
  }
}

/** What attributes state about an answer. */
export interface Origin {
  provider?: string;
  model?: string;
  usage: Usage;
  /** Pointers to the parts of the usage that are unknown. */
  synthesised: string[];
}

export const unknownUsage = { usage: emptyUsage(), synthesised: ["/usage"] };
export const unknownOrigin: Origin = { ...unknownUsage };

/** The origin that the attributes state; `above` is what the span states. */
export function originIn(attributes: JsonObject, above: Origin = unknownOrigin): Origin {
  const { [PROVIDER]: provider, [RESPONSE_MODEL]: answered, [REQUEST_MODEL]: requested } = attributes;
  const model = isString(answered) ? answered : requested;
  return {
    ...above,
    ...(isString(provider) ? { provider } : {}),
    ...(isString(model) ? { model } : {}),
    ...usageIn(attributes),
  };
}

/** The input tokens include the cached ones. */
function usageIn(attributes: JsonObject): Pick<Origin, "usage" | "synthesised"> | undefined {
  const [input, output] = [attributes[INPUT_TOKENS], attributes[OUTPUT_TOKENS]];
  const [read, write] = [attributes[CACHE_READ], attributes[CACHE_WRITE]];
  if (!isNumber(input) && !isNumber(output)) return undefined;
  const usage = emptyUsage();
  const all = isNumber(input) ? input : 0;
  usage.output = isNumber(output) ? output : 0;
  usage.cacheRead = isNumber(read) ? read : 0;
  usage.cacheWrite = isNumber(write) ? write : 0;
  const others = all - usage.cacheRead - usage.cacheWrite;
  usage.input = others >= 0 ? others : all;
  usage.totalTokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  return {
    usage,
    synthesised: [
      ...(isNumber(input) ? [] : ["/usage/input"]),
      ...(isNumber(output) ? [] : ["/usage/output"]),
      ...(isNumber(input) && isNumber(output) ? [] : ["/usage/totalTokens"]),
      "/usage/cost",
    ],
  };
}

/** The attributes beside the lists, without what was noted. They are about the answer if it is the whole output. */
export function ownAttributes(
  session: SessionMessage | undefined,
  [answer, ...others]: readonly AgentMessage[],
): JsonObject {
  const isSole = answer?.role === "assistant" && others.length === 0;
  const reason = isSole ? finishReasonOf(answer) : undefined;
  return {
    ...(session?.id === undefined ? {} : { [CONVERSATION]: session.id }),
    ...(session?.agent === undefined ? {} : { [AGENT]: session.agent }),
    ...(isSole ? originAttributes(answer) : {}),
    ...(reason === undefined ? {} : { [FINISH_REASONS]: [reason] }),
  };
}

/** Where an answer comes from, and its usage. */
export function originAttributes(message: AssistantMessage): JsonObject {
  const { provider, model, usage } = message;
  const isKnown = (pointer: string) => !isSynthesised(message, pointer);
  return {
    ...(isKnown("/provider") ? { [PROVIDER]: provider } : {}),
    ...(isKnown("/model") ? { [RESPONSE_MODEL]: model } : {}),
    ...(isKnown("/usage/input") ? { [INPUT_TOKENS]: usage.input + usage.cacheRead + usage.cacheWrite } : {}),
    ...(isKnown("/usage/output") ? { [OUTPUT_TOKENS]: usage.output } : {}),
    ...(isKnown("/usage/cacheRead") && usage.cacheRead > 0 ? { [CACHE_READ]: usage.cacheRead } : {}),
    ...(isKnown("/usage/cacheWrite") && usage.cacheWrite > 0 ? { [CACHE_WRITE]: usage.cacheWrite } : {}),
  };
}
