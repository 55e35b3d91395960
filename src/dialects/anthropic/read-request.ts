import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import { readToolList } from "../../core/api/tool-list.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { options as table } from "./options.js";
import { readMessages } from "./read-messages.js";
import { request } from "./request.js";
import { readSystem } from "./system.js";
import { readTool } from "./tools.js";

/** Reads the body of `POST /v1/messages`; `request` writes the same body again. */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request", body);
  const { model, messages, system, tools, stream, ...fields } = body;
  if (typeof model !== "string") throw unexpected("/model", "the name of a model", model);
  if (!Array.isArray(messages)) throw unexpected("/messages", "a list of messages", messages);
  const { prompt, pieces } = readSystem(system);
  const { tools: own, foreign } = readToolList(tools, "/tools", readTool);
  const { options, rest: extra } = readOptions(table, fields);
  const form = {
    ...(pieces === undefined ? {} : { system: pieces }),
    ...(foreign === undefined ? {} : { tools: foreign }),
    ...(options.maxTokens === undefined ? { unlimited: true } : {}),
  };
  const call: Call = {
    model,
    stream: stream === true,
    context: {
      ...(prompt === undefined ? {} : { systemPrompt: prompt }),
      messages: readMessages(messages, prompt !== undefined),
      ...(own === undefined ? {} : { tools: own }),
    },
    // The body has its own cache marks.
    options: { ...options, cache: false, ...(Object.keys(extra).length > 0 ? { extra } : {}) },
  };
  const frame = frameOf(
    request({ ...withForm(call, form), context: { ...call.context, messages: [] } }, {}, () => undefined),
  );
  return withForm(call, { ...form, ...deviations(frameOf(body), frame, { inside: "all", guarded: true }) });
}

/** A body without its messages, system prompt and tools, which have their own notes. */
function frameOf({ messages: _, system: __, tools: ___, ...frame }: JsonObject): JsonObject {
  return frame;
}
