import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import { isObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type { AgentMessage } from "../../core/types.js";
import { GUARDED } from "./notes.js";
import { options as table } from "./options.js";
import { readMessages } from "./read-messages.js";
import { request } from "./request.js";
import { readTool } from "./tools.js";
import { NAME } from "./wire.js";

/** The call in a request body. */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request, an object", body);
  const { model, messages, stream, tools, ...fields } = body;
  if (typeof model !== "string") throw unexpected("/model", "the name of a model", model);
  if (stream !== undefined && typeof stream !== "boolean")
    throw unexpected("/stream", "true or false", stream);
  const { systemPrompt, rest } = splitPrompt(readMessages(messages ?? []));
  const specs = Array.isArray(tools) ? tools.flatMap((tool) => readTool(tool) ?? []) : undefined;
  const { options, rest: extra } = readOptions(table, fields);
  const call: Call = {
    model,
    stream: stream ?? true,
    context: {
      messages: rest,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(specs === undefined ? {} : { tools: specs }),
    },
    options: { ...options, ...(Object.keys(extra).length > 0 ? { extra } : {}) },
  };
  const written = request(call, {}, () => undefined);
  const form = deviations(body, written, { ...GUARDED, inside: new Set(["options"]) });
  return withForm(call, { ...form });
}

/** A plain system message at the start is the system prompt. */
function splitPrompt(messages: AgentMessage[]): { systemPrompt?: string; rest: AgentMessage[] } {
  const [first, ...rest] = messages;
  if (first?.role !== "system" || typeof first.content !== "string") return { rest: messages };
  return first.ext?.[NAME] === undefined ? { systemPrompt: first.content, rest } : { rest: messages };
}
