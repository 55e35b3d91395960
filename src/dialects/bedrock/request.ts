import type { Call, Flags, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { markForCache } from "./cache.js";
import { fitDocuments } from "./documents.js";
import { closed, writeMessages } from "./messages.js";
import { writeSystem } from "./system.js";
import { writeLimits } from "./thinking.js";
import { calledTools, declared, writeToolChoice, writeTools } from "./tools.js";

type Report = (loss: Loss) => void;

/** The body of `POST /model/{modelId}/converse` and `…/converse-stream`. Model and streaming are in the URL. */
export function request(call: Call, flags: Flags, report: Report): JsonObject {
  const { model, context, options } = call;
  const { form = {} } = options;
  const { inferenceConfig, additionalModelRequestFields, toolConfig, ...extra } = options.extra ?? {};
  const isOwn = form["asWritten"] === true;
  const plain = writeMessages(context.messages, report);
  const said = {
    system: writeSystem(context.systemPrompt, form["system"]),
    tools: writeTools(isOwn ? context.tools : offeredTools(call, report), form["tools"]),
    messages: isOwn ? plain : fitDocuments(plain, report),
  };
  const { system, tools, messages } = options.cache === false ? said : markForCache(said, model);
  const { inference, additional } = writeLimits(call, flags, report);
  return {
    ...(form["modelId"] === true ? { modelId: model } : {}),
    messages: messages.map(closed),
    ...(system === undefined ? {} : { system }),
    ...merged("inferenceConfig", inference, inferenceConfig),
    ...writeToolConfig(call, tools, toolConfig, report),
    ...merged("additionalModelRequestFields", additional, additionalModelRequestFields),
    ...extra,
  };
}

/** The field with ours and the caller's members; without any it is left out. */
function merged(field: string, ours: JsonObject, given: unknown): JsonObject {
  if (given !== undefined && !isObject(given)) return { [field]: given };
  const all = { ...ours, ...given };
  return given === undefined && Object.keys(all).length === 0 ? {} : { [field]: all };
}

/** The API refuses a history with calls unless tools are offered, so those that it calls are. */
function offeredTools(
  { context: { tools, messages } }: Call,
  report: Report,
): readonly ToolSpec[] | undefined {
  if (tools !== undefined && tools.length > 0) return tools;
  const called = calledTools(messages);
  if (called.length === 0) return tools;
  report({
    at: "/tools",
    what: `a declaration of ${called.join(", ")}`,
    why: "this API requires the tools that a history calls to be declared",
    severity: "synthesised",
  });
  return called.map(declared);
}

function writeToolConfig(
  { context, options: { toolChoice, form = {} } }: Call,
  tools: JsonObject[] | undefined,
  given: unknown,
  report: Report,
): JsonObject {
  const rest = isObject(given) ? given : {};
  const isOffered = tools !== undefined && (tools.length > 0 || form["asWritten"] === true);
  if (toolChoice === undefined || !isOffered) {
    if (toolChoice !== undefined && toolChoice !== "none") {
      const why = "this API accepts it only together with tools";
      report({ at: "/options/toolChoice", what: "the choice of tools", why, severity: "dropped" });
    }
    if (!isOffered) return Object.keys(rest).length === 0 ? {} : { toolConfig: rest };
    return { toolConfig: { tools, ...rest } };
  }
  const choice = writeToolChoice(toolChoice);
  if (choice !== undefined) return { toolConfig: { tools, toolChoice: choice, ...rest } };
  // A model that is offered no tools calls none.
  if (calledTools(context.messages).length === 0)
    return Object.keys(rest).length === 0 ? {} : { toolConfig: rest };
  const why = "this API cannot forbid calls, and requires the tools of the history to be declared";
  report({ at: "/options/toolChoice", what: "the choice of no tools", why, severity: "dropped" });
  return { toolConfig: { tools, ...rest } };
}
