import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { unnamedCalls, writeMessage } from "./messages.js";
import { restoreForm } from "./notes.js";
import { options as table } from "./options.js";
import { imageData } from "./parts.js";
import { writeTool } from "./tools.js";
import type { WireRequest } from "./wire.js";

type Report = (loss: Loss) => void;

const containers = optionContainers(table);

export function request(call: Call, flags: Flags, report: Report): JsonObject {
  const { model, context, options, stream, limits = {} } = call;
  const { contextWindow } = limits;
  // The only way to forbid calls is to offer no tools.
  const tools = options.toolChoice === "none" ? undefined : context.tools?.map(writeTool);
  for (const [index, { strict }] of (context.tools ?? []).entries()) {
    if (strict !== true) continue;
    report(
      droppedLoss(
        `/tools/${index}/strict`,
        "the tool's strict mode",
        "this API does not enforce tool schemas",
      ),
    );
  }
  const body: WireRequest = {
    model,
    messages: writeMessages(context.systemPrompt, context.messages, report),
    ...(tools === undefined ? {} : { tools }),
    stream,
    // Without `num_ctx` a server reads only the last few thousand tokens of a prompt.
    ...(contextWindow === undefined ? {} : { options: { num_ctx: contextWindow } }),
  };
  const losses: Loss[] = [];
  const writing = { call, flags, report: (loss: Loss) => losses.push(loss) };
  const settings = mergeFields(body, writeOptions(table, writing), containers);
  const { tools: added, ...extra } = options.extra ?? {};
  const all = Array.isArray(added) ? { ...settings, tools: [...(tools ?? []), ...added] } : settings;
  const written = restoreForm(mergeFields(all, extra, containers), options.form);
  reportUnstated(table, { ...writing, report }, written, losses);
  return written;
}

function writeMessages(
  systemPrompt: string | undefined,
  messages: readonly AgentMessage[],
  report: Report,
): JsonObject[] {
  const unnamed = unnamedCalls(messages);
  const prompt = systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }];
  const written = messages.map((message, index) => {
    reportLosses(message, `/messages/${index}`, report);
    return writeMessage(message, unnamed);
  });
  return [...prompt, ...written.filter((message) => message !== undefined)];
}

function reportLosses(message: AgentMessage, at: string, report: Report): void {
  if (message.role === "toolResult" && message.isError) {
    report(droppedLoss(`${at}/isError`, "the error flag", "Ollama has none; the result's text is sent"));
  }
  if (message.role !== "user" && message.role !== "toolResult") return;
  for (const [index, block] of Array.isArray(message.content) ? message.content.entries() : []) {
    if (block.type === "image" && imageData(block) === undefined) {
      report(droppedLoss(`${at}/content/${index}`, "an image URL", "Ollama accepts images only as bytes"));
    }
  }
}

function droppedLoss(at: string, what: string, why: string): Loss {
  return { at, what, why, severity: "dropped" };
}
