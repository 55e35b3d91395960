import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { deviation } from "./notes.js";
import { options as table } from "./options.js";
import { type CalledNames, readMessage } from "./read-messages.js";
import { request, writePrompt } from "./request.js";
import { readTools } from "./tools.js";

/** The call in a request. `options.form` notes how the body differs from the one that we would write. */
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
    options: { ...options, ...(Object.keys(extra).length > 0 ? { extra } : {}) },
    stream: stream === true,
  };
  const written = request(withForm(call, form), {}, () => undefined);
  const spelling = deviations(frameOf(body), frameOf(written), { inside: "all", guarded: true });
  return withForm(call, { ...form, ...spelling });
}

/** A body without its messages and tools, which have their own notes. */
function frameOf({ messages: _, tools, ...rest }: JsonObject): JsonObject {
  const hasOwnNotes = Array.isArray(tools) && tools.length > 0;
  return hasOwnNotes || tools === undefined ? rest : { ...rest, tools };
}

/** The first message, if it is a system message with only text. */
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
