import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { restore } from "../../core/records/deviation.js";
import type { Loss } from "../../core/types.js";
import { writeContents } from "./messages.js";
import { generation, options as table } from "./options.js";
import { writeSystem } from "./system.js";
import { writeTools } from "./tools.js";

const containers = optionContainers(table);

/** The body of `generateContent` and `streamGenerateContent`. The model and whether to stream are in the URL. */
export function request(call: Call, flags: Flags, onLoss: (loss: Loss) => void): JsonObject {
  const { model, context, options } = call;
  const { extra: { tools, ...extra } = {}, form = {} } = options;
  const writing = { ids: flags.callIds === true, signatures: (generation(model) ?? 0) >= 3 };
  const losses: Loss[] = [];
  const settings = { call, flags, report: (loss: Loss) => losses.push(loss) };
  const body = {
    contents: writeContents(context.messages, writing),
    ...writeSystem(context.systemPrompt, form["systemInstruction"]),
    ...writeTools(context.tools ?? [], form["tools"], tools, flags, onLoss),
    ...writeOptions(table, settings),
  };
  const written = restore(mergeFields(body, extra, containers), form);
  reportUnstated(table, { ...settings, report: onLoss }, written, losses);
  return written;
}
