import type { Call, CallOptions } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { readMessages } from "./read-messages.js";
import { readSystem } from "./system.js";
import { isAdaptive, readThinking } from "./thinking.js";
import { readToolChoice, readTools } from "./tools.js";

/** Reads the body of `POST /v1/messages`, so that `request` writes it again as it was. */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request", body);
  const { model, messages, system, tools, ...rest } = body;
  if (typeof model !== "string") throw unexpected("/model", "the name of a model", model);
  if (!Array.isArray(messages)) throw unexpected("/messages", "a list of messages", messages);
  const { prompt, pieces } = readSystem(system);
  const { tools: own, foreign } = readTools(tools);
  const { options, extra } = readOptions(rest, isAdaptive(model), Array.isArray(tools) && tools.length > 0);
  const form = {
    ...(pieces === undefined ? {} : { system: pieces }),
    ...(foreign === undefined ? {} : { tools: foreign }),
    ...(options.maxTokens === undefined ? { unlimited: true } : {}),
  };
  return {
    model,
    stream: body["stream"] === true,
    context: {
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      messages: readMessages(messages, prompt !== undefined),
      ...(own === undefined ? {} : { tools: own }),
    },
    options: {
      ...options,
      ...(Object.keys(extra).length > 0 ? { extra } : {}),
      ...(Object.keys(form).length > 0 ? { form } : {}),
    },
  };
}

/**
 * What we have names for, and the rest as it is: also what `request` would not write, since the API does not take it.
 * The body says itself what is to be cached.
 */
function readOptions(
  body: JsonObject,
  adaptive: boolean,
  hasTools: boolean,
): { options: CallOptions; extra: JsonObject } {
  const { max_tokens: maxTokens, temperature, stream } = body;
  const options: CallOptions = { cache: false };
  const extra = { ...body };
  const named = (key: string) => Reflect.deleteProperty(extra, key);
  if (typeof maxTokens === "number") {
    options.maxTokens = maxTokens;
    named("max_tokens");
  }
  if (typeof temperature === "number" && !adaptive) {
    options.temperature = temperature;
    named("temperature");
  }
  if (stream === true) named("stream");
  const toolChoice = hasTools ? readToolChoice(body["tool_choice"]) : undefined;
  if (toolChoice !== undefined) {
    options.toolChoice = toolChoice;
    named("tool_choice");
  }
  const thinking = adaptive ? undefined : readThinking(body, toolChoice);
  if (thinking !== undefined) {
    options.thinking = thinking;
    named("thinking");
  }
  return { options, extra };
}
