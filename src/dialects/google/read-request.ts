import type { Call } from "../../core/api/provider.js";
import { isObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { readConfig, readToolConfig } from "./config.js";
import { readContents } from "./read-messages.js";
import { readSystem } from "./system.js";
import { readTools } from "./tools.js";

/** Google also takes names with underscores. Read as names nobody knows they would be lost, so they are refused. */
const UNDERSCORED = new Map([
  ["system_instruction", "systemInstruction"],
  ["generation_config", "generationConfig"],
  ["tool_config", "toolConfig"],
]);

/**
 * The call that a body makes. The body names neither the model nor whether to stream: both stand in the URL, so `model`
 * is empty and `stream` false, for whoever has the URL to fill in.
 */
export function readRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request, an object with contents", body);
  for (const [name, right] of UNDERSCORED) {
    if (Object.hasOwn(body, name)) throw unexpected(`/${name}`, `the name ${right}`, name, `write ${right}`);
  }
  const { contents, systemInstruction, tools, toolConfig, generationConfig, ...rest } = body;
  const system = readSystem(systemInstruction);
  const functions = readTools(tools);
  const choice = readToolConfig(toolConfig);
  const config = readConfig(generationConfig);
  const extra = {
    ...rest,
    ...(choice.rest === undefined ? {} : { toolConfig: choice.rest }),
    ...(config.rest === undefined ? {} : { generationConfig: config.rest }),
  };
  const form = {
    ...(system.layout === undefined ? {} : { systemInstruction: system.layout }),
    ...(functions.layout === undefined ? {} : { tools: functions.layout }),
  };
  return {
    model: "",
    stream: false,
    context: {
      messages: readContents(contents),
      ...(system.prompt === undefined ? {} : { systemPrompt: system.prompt }),
      ...(functions.specs === undefined ? {} : { tools: functions.specs }),
    },
    options: {
      ...config.options,
      ...(choice.toolChoice === undefined ? {} : { toolChoice: choice.toolChoice }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
      ...(Object.keys(form).length === 0 ? {} : { form }),
    },
  };
}
