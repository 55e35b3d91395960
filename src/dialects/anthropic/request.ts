import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { markForCache } from "./cache.js";
import { closed, writeMessages } from "./messages.js";
import { writeSystem } from "./system.js";
import { writeLimits } from "./thinking.js";
import { writeToolChoice, writeTools } from "./tools.js";

/** The body of `POST /v1/messages`. */
export function request(call: Call, flags: Flags, report: (loss: Loss) => void): JsonObject {
  const { model, context, options, stream } = call;
  const { form = {}, toolChoice } = options;
  const said = {
    system: writeSystem(context.systemPrompt, form["system"]),
    tools: writeTools(context.tools, form["tools"]),
    messages: writeMessages(context.messages, report),
  };
  const { system, tools, messages } = options.cache === false ? said : markForCache(said);
  const { max_tokens, ...limits } = writeLimits(call, flags, report);
  const hasTools = tools !== undefined && tools.length > 0;
  if (toolChoice !== undefined && !hasTools) {
    const why = "this API accepts it only together with tools";
    report({ at: "/options/toolChoice", what: "the choice of tools", why, severity: "dropped" });
  }
  return {
    model,
    ...(form["unlimited"] === true ? {} : { max_tokens }),
    ...limits,
    ...(stream ? { stream } : {}),
    ...(system === undefined ? {} : { system }),
    messages: messages.map(closed),
    ...(tools === undefined ? {} : { tools }),
    ...(toolChoice !== undefined && hasTools ? { tool_choice: writeToolChoice(toolChoice) } : {}),
    ...options.extra,
  };
}
