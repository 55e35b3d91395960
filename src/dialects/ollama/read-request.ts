import type { Call, CallOptions, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage } from "../../core/types.js";
import { GUARDED } from "./notes.js";
import { readMessages } from "./read-messages.js";
import { request } from "./request.js";
import { readTool } from "./tools.js";
import { NAME } from "./wire.js";

/** The call that a request body makes. */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request, an object", body);
  const { model, messages, stream, think, tools, options, ...extra } = body;
  if (typeof model !== "string") throw unexpected("/model", "the name of a model", model);
  if (stream !== undefined && typeof stream !== "boolean")
    throw unexpected("/stream", "true or false", stream);
  const { systemPrompt, rest } = splitPrompt(readMessages(messages ?? []));
  const specs = Array.isArray(tools) ? tools.flatMap((tool) => readTool(tool) ?? []) : undefined;
  const call: Call = {
    model,
    stream: stream ?? true,
    context: {
      messages: rest,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(specs === undefined ? {} : { tools: specs }),
    },
    options: readOptions(think, options, extra),
  };
  const written = request(call, {}, () => undefined);
  const form = deviations(body, written, GUARDED);
  return form === undefined ? call : { ...call, options: { ...call.options, form: { ...form } } };
}

/** A first message that says nothing but the prompt is the prompt. */
function splitPrompt(messages: AgentMessage[]): { systemPrompt?: string; rest: AgentMessage[] } {
  const [first, ...rest] = messages;
  if (first?.role !== "system" || typeof first.content !== "string") return { rest: messages };
  return first.ext?.[NAME] === undefined ? { systemPrompt: first.content, rest } : { rest: messages };
}

function readOptions(think: unknown, options: unknown, extra: JsonObject): CallOptions {
  const { num_predict, temperature, ...others } = isObject(options) ? options : {};
  const thinking = readThink(think);
  const settings: JsonObject = {
    ...others,
    ...(num_predict === undefined || typeof num_predict === "number" ? {} : { num_predict }),
    ...(temperature === undefined || typeof temperature === "number" ? {} : { temperature }),
  };
  const all = Object.keys(settings).length > 0 ? { ...extra, options: settings } : extra;
  return {
    ...(typeof num_predict === "number" ? { maxTokens: num_predict } : {}),
    ...(typeof temperature === "number" ? { temperature } : {}),
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(all).length > 0 ? { extra: all } : {}),
  };
}

function readThink(think: unknown): Thinking | undefined {
  if (think === true) return "medium";
  if (think === false) return "off";
  return think === "low" || think === "medium" || think === "high" ? think : undefined;
}
