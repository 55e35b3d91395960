import { readOptions } from "../../core/api/option-table.js";
import type { Call, CallOptions } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { deviation } from "./notes.js";
import { options as table } from "./options.js";
import { type CalledNames, readMessage } from "./read-messages.js";
import { request, writePrompt } from "./request.js";
import { readTools } from "./tools.js";

/** The call that a request makes. `options.form` says how the body put what we put otherwise. */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request", body);
  const { model = "", messages, tools, stream, stream_options: _, ...fields } = body;
  if (typeof model !== "string") throw unexpected("/model", "the name of a model", model);
  if (!Array.isArray(messages)) throw unexpected("/messages", "a list of messages", messages);
  const prompt = readPrompt(messages[0]);
  const first = prompt === undefined ? 0 : 1;
  const called: CalledNames = new Map();
  const { specs, notes } = readTools(tools);
  const form = {
    ...(prompt === undefined || Object.keys(prompt.notes).length === 0 ? {} : { system: prompt.notes }),
    ...notes,
  };
  const { options, rest: extra } = readOptions(table, fields);
  const call: Call = {
    model,
    context: {
      ...(prompt === undefined ? {} : { systemPrompt: prompt.text }),
      messages: messages
        .slice(first)
        .map((message: unknown, index) => readMessage(message, `/messages/${first + index}`, called)),
      ...(specs === undefined ? {} : { tools: specs }),
    },
    options: withForm({ ...options, ...(Object.keys(extra).length > 0 ? { extra } : {}) }, form),
    stream: stream === true,
  };
  const written = request(call, {}, () => undefined);
  const spelling = deviations(frameOf(body), frameOf(written), { inside: "all", guarded: true });
  return { ...call, options: withForm(call.options, { ...form, ...spelling }) };
}

function withForm(options: CallOptions, form: JsonObject): CallOptions {
  return Object.keys(form).length === 0 ? options : { ...options, form };
}

/** What a body says beside its messages and tools, which have notes of their own. */
function frameOf({ messages: _, tools, ...rest }: JsonObject): JsonObject {
  const hasOwnNotes = Array.isArray(tools) && tools.length > 0;
  return hasOwnNotes || tools === undefined ? rest : { ...rest, tools };
}

/** The first message, if it is one of the system and holds nothing but text. */
function readPrompt(message: unknown): { text: string; notes: JsonObject } | undefined {
  if (!isObject(message) || (message["role"] !== "system" && message["role"] !== "developer"))
    return undefined;
  const { content } = message;
  const cuts = Array.isArray(content) ? content.map(readCut) : [];
  if (typeof content !== "string" && (cuts.length === 0 || cuts.includes(undefined))) return undefined;
  const text = typeof content === "string" ? content : cuts.map((cut) => cut?.text ?? "").join("");
  const parts = cuts.length === 0 ? {} : { parts: cuts.map((cut) => cut?.notes) };
  const [written = {}] = writePrompt(text, {}, parts);
  return { text, notes: { ...parts, ...deviation(message, written) } };
}

function readCut(part: unknown): { text: string; notes: JsonObject } | undefined {
  if (!isObject(part) || part["type"] !== "text" || typeof part["text"] !== "string") return undefined;
  const { text } = part;
  return { text, notes: { length: text.length, ...deviation(part, { type: "text", text }) } };
}
