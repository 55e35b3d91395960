import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import { readToolList } from "../../core/api/tool-list.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { areDocumentsUnfit } from "./documents.js";
import type { WireMessage } from "./messages.js";
import { options as table } from "./options.js";
import { readMessages } from "./read-messages.js";
import { request } from "./request.js";
import { readSystem } from "./system.js";
import { calledTools, readTool } from "./tools.js";

/**
 * Reads the body of `converse` and `converse-stream`; `request` writes the same body again. The model and whether to stream
 * are in the URL; the input of the AWS SDKs has `modelId`.
 */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request", body);
  const { modelId, messages, system, toolConfig, ...others } = body;
  if (modelId !== undefined && typeof modelId !== "string")
    throw unexpected("/modelId", "a model's id", modelId);
  if (!Array.isArray(messages)) throw unexpected("/messages", "a list of messages", messages);
  for (const field of ["toolConfig", "inferenceConfig"]) {
    const value = body[field];
    if (value !== undefined && !isObject(value)) throw unexpected(`/${field}`, "an object", value);
  }
  const { prompt, pieces } = readSystem(system);
  const { tools, ...config } = isObject(toolConfig) ? toolConfig : {};
  const { tools: own, foreign } = readToolList(tools, "/toolConfig/tools", readTool);
  const isOffered = Array.isArray(tools) && tools.length > 0;
  const fields = { ...others, ...(Object.keys(config).length > 0 ? { toolConfig: config } : {}) };
  const { options, rest: extra } = readOptions(table, fields);
  const read = readMessages(messages, prompt !== undefined);
  const isUnusual =
    (tools !== undefined && !isOffered) ||
    (!isOffered && calledTools(read).length > 0) ||
    areDocumentsUnfit(messages.filter(isObject).map(partsOf));
  const form = {
    ...(modelId === undefined ? {} : { modelId: true }),
    ...(pieces === undefined ? {} : { system: pieces }),
    ...(foreign === undefined ? {} : { tools: foreign }),
    ...(isUnusual ? { asWritten: true } : {}),
  };
  const call: Call = {
    model: modelId ?? "",
    stream: false,
    context: {
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      messages: read,
      ...(own === undefined ? {} : { tools: own }),
    },
    // The body has its own cache points.
    options: { cache: false, ...options, ...(Object.keys(extra).length > 0 ? { extra } : {}) },
  };
  const frame = frameOf(
    request({ ...withForm(call, form), context: { ...call.context, messages: [] } }, {}, () => undefined),
  );
  return withForm(call, { ...form, ...deviations(frameOf(body), frame, { inside: "all", guarded: true }) });
}

/** A body without its messages, system prompt and tools, which have their own notes. */
function frameOf({ messages: _, system: __, toolConfig, ...frame }: JsonObject): JsonObject {
  if (!isObject(toolConfig)) return frame;
  const { tools: ___, ...config } = toolConfig;
  return { ...frame, toolConfig: config };
}

function partsOf({ role, content }: JsonObject): WireMessage {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return { role: role === "user" ? role : "assistant", content: blocks, note: undefined };
}
