import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { options as table } from "./options.js";
import { readContents } from "./read-messages.js";
import { request } from "./request.js";
import { readSystem } from "./system.js";
import { readTools } from "./tools.js";

/** Google also accepts snake_case names. We do not read them, and refuse them rather than lose their values. */
const UNDERSCORED = new Map([
  ["system_instruction", "systemInstruction"],
  ["generation_config", "generationConfig"],
  ["tool_config", "toolConfig"],
]);

/**
 * The call in a request body. The model and whether to stream are in the URL, so `model` is empty and `stream` is false;
 * the caller fills them in.
 */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request, an object with contents", body);
  for (const [name, right] of UNDERSCORED) {
    if (Object.hasOwn(body, name)) throw unexpected(`/${name}`, `the name ${right}`, name, `write ${right}`);
  }
  const { contents, systemInstruction, tools, ...fields } = body;
  for (const key of ["generationConfig", "toolConfig"]) {
    if (fields[key] !== undefined && !isObject(fields[key]))
      throw unexpected(`/${key}`, "an object", fields[key]);
  }
  const system = readSystem(systemInstruction);
  const functions = readTools(tools);
  const { options, rest: extra } = readOptions(table, fields);
  const form = {
    ...(system.layout === undefined ? {} : { systemInstruction: system.layout }),
    ...(functions.layout === undefined ? {} : { tools: functions.layout }),
  };
  const call: Call = {
    model: "",
    stream: false,
    context: {
      messages: readContents(contents),
      ...(system.prompt === undefined ? {} : { systemPrompt: system.prompt }),
      ...(functions.specs === undefined ? {} : { tools: functions.specs }),
    },
    options: { ...options, ...(Object.keys(extra).length === 0 ? {} : { extra }) },
  };
  const written = frameOf(request({ ...call, context: { messages: [] } }, {}, () => undefined));
  const spelling = deviations(frameOf(body), written, { inside: "all", guarded: true });
  return withForm(call, { ...form, ...spelling });
}

/** A body without its contents, instruction and tools, which have their own notes. */
function frameOf({ contents: _, systemInstruction: __, tools: ___, ...frame }: JsonObject): JsonObject {
  return frame;
}
