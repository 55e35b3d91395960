import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { Loss } from "../../core/types.js";
import { markForCache } from "./cache.js";
import { closeMessage, writeMessages } from "./messages.js";
import { options as table } from "./options.js";
import { writeSystem } from "./system.js";
import { writeLimit } from "./thinking.js";
import { writeTools } from "./tools.js";

const containers = optionContainers(table);

/** The body of `POST /v1/messages`. */
export function request(call: Call, flags: Flags, report: (loss: Loss) => void): JsonObject {
  const { model, context, options, stream } = call;
  const { form = {}, extra: { tools: _, ...extra } = {} } = options;
  const content = {
    system: writeSystem(context.systemPrompt, form["system"]),
    tools: writeTools(call),
    messages: writeMessages(context.messages, report),
  };
  const { system, tools, messages } = options.cache === false ? content : markForCache(content);
  const losses: Loss[] = [];
  const writing = { call, flags, report: (loss: Loss) => losses.push(loss) };
  // The API requires a limit. A request that was read without one is written without one.
  const needsLimit = options.maxTokens === undefined && form["unlimited"] !== true;
  const body = {
    model,
    ...(needsLimit ? { max_tokens: writeLimit(writing) } : {}),
    ...writeOptions(table, writing),
    ...(stream ? { stream } : {}),
    ...(system === undefined ? {} : { system }),
    messages: messages.map(closeMessage),
    ...(tools === undefined ? {} : { tools }),
  };
  const written = restore(mergeFields(body, extra, containers), form);
  reportUnstated(table, { ...writing, report }, written, losses);
  return written;
}
