import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, Flags, ToolSpec } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { Loss } from "../../core/types.js";
import { markForCache } from "./cache.js";
import { fitDocuments } from "./documents.js";
import { closeMessage, writeMessages } from "./messages.js";
import { options as table } from "./options.js";
import { writeSystem } from "./system.js";
import { calledTools, declareTool, writeTools } from "./tools.js";

type Report = (loss: Loss) => void;

const containers = optionContainers(table);

/** The body of `POST /model/{modelId}/converse` and `…/converse-stream`. The URL has the model. */
export function request(call: Call, flags: Flags, report: Report): JsonObject {
  const { model, context, options } = call;
  const { form = {}, extra = {} } = options;
  const isOwn = form["asWritten"] === true;
  const plain = writeMessages(context.messages, report);
  const content = {
    system: writeSystem(context.systemPrompt, form["system"]),
    tools: writeTools(isOwn ? context.tools : offeredTools(call, report), form["tools"]),
    messages: isOwn ? plain : fitDocuments(plain, report),
  };
  const { system, tools, messages } = options.cache === false ? content : markForCache(content, model);
  const losses: Loss[] = [];
  const writing = { call, flags, report: (loss: Loss) => losses.push(loss) };
  const { toolConfig, ...fields } = writeOptions(table, writing);
  const body = {
    ...(form["modelId"] === true ? { modelId: model } : {}),
    messages: messages.map(closeMessage),
    ...(system === undefined ? {} : { system }),
    ...fields,
    ...writeToolConfig(tools, toolConfig, isOwn),
  };
  const written = restore(mergeFields(body, extra, containers), form);
  reportUnstated(table, { ...writing, report }, written, losses);
  return written;
}

/**
 * The API refuses a history with calls unless tools are offered, so the called tools are declared. The only way to forbid
 * calls is to offer no tools.
 */
function offeredTools(
  { context: { tools, messages }, options }: Call,
  report: Report,
): readonly ToolSpec[] | undefined {
  const called = calledTools(messages);
  if (called.length === 0) return options.toolChoice === "none" ? undefined : tools;
  const others = options.form?.["tools"];
  const hasOthers = Array.isArray(others) && others.length > 0;
  if (tools !== undefined && (tools.length > 0 || hasOthers)) return tools;
  report({
    at: "/tools",
    what: `a declaration of ${called.join(", ")}`,
    why: "this API requires the tools that a history calls to be declared",
    severity: "synthesised",
  });
  return called.map(declareTool);
}

/** The API refuses an empty list of tools. */
function writeToolConfig(tools: JsonObject[] | undefined, choice: unknown, isOwn: boolean): JsonObject {
  if (tools === undefined || (tools.length === 0 && !isOwn)) return {};
  return { toolConfig: { tools, ...(isObject(choice) ? choice : {}) } };
}
