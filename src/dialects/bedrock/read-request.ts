import type { Call, CallOptions } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { areDocumentsUnfit } from "./documents.js";
import type { WireMessage } from "./messages.js";
import { readMessages } from "./read-messages.js";
import { readSystem } from "./system.js";
import { isAdaptive } from "./thinking.js";
import { calledTools, readToolChoice, readTools } from "./tools.js";

/**
 * Reads the body of `converse` and `converse-stream`, so that `request` writes it again as it was. The body names neither
 * the model nor whether to stream; the input of the AWS SDKs has `modelId`.
 */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request", body);
  const { modelId, messages, system, toolConfig, inferenceConfig, ...rest } = body;
  if (modelId !== undefined && typeof modelId !== "string")
    throw unexpected("/modelId", "a model's id", modelId);
  if (!Array.isArray(messages)) throw unexpected("/messages", "a list of messages", messages);
  if (toolConfig !== undefined && !isObject(toolConfig))
    throw unexpected("/toolConfig", "an object", toolConfig);
  const model = modelId ?? "";
  const { prompt, pieces } = readSystem(system);
  const { tools, toolChoice, ...furtherConfig } = toolConfig ?? {};
  const { tools: own, foreign } = readTools(tools);
  const isOffered = Array.isArray(tools) && tools.length > 0;
  const choice = isOffered ? readToolChoice(toolChoice) : undefined;
  const config = {
    ...(choice === undefined && toolChoice !== undefined ? { toolChoice } : {}),
    ...furtherConfig,
  };
  const inference = readInference(inferenceConfig, isAdaptive(model));
  const read = readMessages(messages, prompt !== undefined);
  const isUnusual =
    (tools !== undefined && !isOffered) ||
    (!isOffered && calledTools(read).length > 0) ||
    areDocumentsUnfit(messages.filter(isObject).map(partsOf));
  const extra = {
    ...rest,
    ...(Object.keys(config).length > 0 ? { toolConfig: config } : {}),
    ...(inference.rest === undefined ? {} : { inferenceConfig: inference.rest }),
  };
  const form = {
    ...(modelId === undefined ? {} : { modelId: true }),
    ...(pieces === undefined ? {} : { system: pieces }),
    ...(foreign === undefined ? {} : { tools: foreign }),
    ...(isUnusual ? { asWritten: true } : {}),
  };
  return {
    model,
    stream: false,
    context: {
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      messages: read,
      ...(own === undefined ? {} : { tools: own }),
    },
    options: {
      cache: false,
      ...inference.options,
      ...(choice === undefined ? {} : { toolChoice: choice }),
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
      ...(Object.keys(form).length > 0 ? { form } : {}),
    },
  };
}

function partsOf({ role, content }: JsonObject): WireMessage {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return { role: role === "user" ? role : "assistant", content: blocks, note: undefined };
}

/** What we have names for, and the rest as it is. */
function readInference(config: unknown, adaptive: boolean): { options: CallOptions; rest?: unknown } {
  if (config === undefined) return { options: {} };
  if (!isObject(config)) throw unexpected("/inferenceConfig", "an object", config);
  const { maxTokens, temperature } = config;
  const rest = { ...config };
  const options: CallOptions = {};
  if (typeof maxTokens === "number") {
    options.maxTokens = maxTokens;
    Reflect.deleteProperty(rest, "maxTokens");
  }
  if (typeof temperature === "number" && !adaptive) {
    options.temperature = temperature;
    Reflect.deleteProperty(rest, "temperature");
  }
  const isRead = Object.keys(rest).length === 0 && Object.keys(options).length > 0;
  return { options, ...(isRead ? {} : { rest }) };
}
