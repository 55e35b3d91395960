import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { generation, writeConfig, writeToolConfig } from "./config.js";
import { writeContents } from "./messages.js";
import { writeSystem } from "./system.js";
import { writeTools } from "./tools.js";

/** The body of `generateContent` and `streamGenerateContent`. The model and whether to stream stand in the URL. */
export function request(
  { model, context, options }: Call,
  flags: Flags,
  onLoss: (loss: Loss) => void,
): JsonObject {
  const { extra: { tools, toolConfig, generationConfig, ...extra } = {}, form = {} } = options;
  const isRecent = (generation(model) ?? 0) >= 3;
  if (options.thinking === "off" && isRecent) {
    onLoss({
      at: "/options/thinking",
      what: "the request not to think",
      why: `${model} always thinks; minimal thinking is requested`,
      severity: "approximated",
    });
  }
  const writing = { ids: flags.callIds === true, signatures: isRecent };
  return {
    ...extra,
    contents: writeContents(context.messages, writing),
    ...writeSystem(context.systemPrompt, form["systemInstruction"]),
    ...writeTools(context.tools ?? [], form["tools"], tools, flags, onLoss),
    ...writeToolConfig(options.toolChoice, toolConfig),
    ...writeConfig(options, generationConfig, model),
  };
}
