import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, Flags } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { writeMessages } from "./messages.js";
import { restoreNoted } from "./notes.js";
import { options as table } from "./options.js";
import { writeTools } from "./tools.js";
import type { RequestFields } from "./wire.js";

const containers = optionContainers(table);

export function request(call: Call, flags: Flags, onLoss: (loss: Loss) => void): JsonObject {
  const { model, context, options, stream } = call;
  const notes = options.form ?? {};
  const offered = new Set(context.tools?.map(({ name }) => name));
  const messages = writeMessages(context.messages, (index) => ({
    model,
    flags,
    offers: (name) => offered.has(name),
    report: (at, what, why, severity = "dropped") =>
      onLoss({ at: `/messages/${index}${at}`, what, why, severity }),
  }));
  const tools = writeTools(context, flags, notes["otherTools"]);
  const losses: Loss[] = [];
  const writing = { call, flags, report: (loss: Loss) => losses.push(loss) };
  const fields: RequestFields = {
    model,
    ...(stream ? { stream } : {}),
    ...(stream && flags.streamOptions !== false ? { stream_options: { include_usage: true } } : {}),
    ...(flags.store === undefined ? {} : { store: flags.store }),
  };
  const { tools: added, ...extra } = options.extra ?? {};
  const allTools = Array.isArray(added) ? [...(tools ?? []), ...added] : tools;
  const body = {
    ...fields,
    ...writeOptions(table, writing),
    messages: [...writePrompt(context.systemPrompt, flags, notes["system"]), ...messages],
    ...(allTools === undefined ? {} : { tools: allTools }),
  };
  const written = restoreNoted(mergeFields(body, extra, containers), notes);
  reportUnstated(table, { ...writing, report: onLoss }, written, losses);
  return written;
}

/** A stream reports its usage only on request (`include_usage`), which some servers refuse. */
export function forwardable(body: JsonObject, model: string, flags: Flags): JsonObject {
  const forwarded = { ...body, model, stream: true };
  if (flags.streamOptions === false) return forwarded;
  const { stream_options: options } = body;
  return { ...forwarded, stream_options: { ...(isObject(options) ? options : {}), include_usage: true } };
}

/** The system prompt as the first message; in parts if it was read from parts and its length is unchanged. */
export function writePrompt(prompt: string | undefined, flags: Flags, noted: unknown): JsonObject[] {
  if (prompt === undefined) return [];
  const notes = isObject(noted) ? noted : {};
  const parts = Array.isArray(notes["parts"]) ? cutIntoParts(prompt, notes["parts"]) : undefined;
  return [restoreNoted({ role: flags.systemRole ?? "system", content: parts ?? prompt }, notes)];
}

function cutIntoParts(prompt: string, cuts: readonly unknown[]): JsonObject[] | undefined {
  const parts: JsonObject[] = [];
  let start = 0;
  for (const cut of cuts) {
    if (!isObject(cut) || typeof cut["length"] !== "number") return undefined;
    const text = prompt.slice(start, start + cut["length"]);
    parts.push(restoreNoted({ type: "text", text }, cut));
    start += cut["length"];
  }
  return start === prompt.length ? parts : undefined;
}
