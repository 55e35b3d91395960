import { effortOf } from "../../core/api/effort.js";
import type { Call, CallOptions, Flags, Thinking } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { isObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { writeMessages } from "./messages.js";
import { restoreNoted } from "./notes.js";
import { writeTools } from "./tools.js";
import type { Effort, RequestFields, ToolChoice } from "./wire.js";

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
  const fields: Omit<RequestFields, "tools"> = {
    model,
    ...(stream ? { stream } : {}),
    ...(stream && flags.streamOptions !== false ? { stream_options: { include_usage: true } } : {}),
    ...(flags.store === undefined ? {} : { store: flags.store }),
    ...writeOptions(options, flags, onLoss),
    ...(options.toolChoice === undefined || tools === undefined
      ? {}
      : { tool_choice: writeChoice(options.toolChoice) }),
  };
  const body = {
    ...fields,
    messages: [...writePrompt(context.systemPrompt, flags, notes["system"]), ...messages],
    ...(tools === undefined ? {} : { tools }),
    ...options.extra,
  };
  return restoreNoted(body, notes);
}

/** Only a streamed answer that is asked for its usage reports it; some servers refuse to be asked. */
export function forwardable(body: JsonObject, model: string, flags: Flags): JsonObject {
  const asked = { ...body, model, stream: true };
  if (flags.streamOptions === false) return asked;
  const { stream_options: options } = body;
  return { ...asked, stream_options: { ...(isObject(options) ? options : {}), include_usage: true } };
}

/** The system prompt as the first message; in parts where it came in parts and still has their length. */
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

function writeOptions(
  { maxTokens, temperature, thinking }: CallOptions,
  { maxTokensField }: Flags,
  onLoss: (loss: Loss) => void,
) {
  return {
    ...(maxTokens === undefined ? {} : { [maxTokensField ?? "max_completion_tokens"]: maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking === undefined ? {} : { reasoning_effort: writeEffort(thinking, onLoss) }),
  };
}

function writeEffort(thinking: Thinking, onLoss: (loss: Loss) => void): Effort {
  if (thinking === "off") return "none";
  if (typeof thinking === "string") return thinking;
  const { budgetTokens } = thinking;
  const effort = effortOf(budgetTokens);
  onLoss({
    at: "/options/thinking",
    what: `a thinking budget of ${budgetTokens} tokens`,
    why: `Chat Completions accepts only an effort; "${effort}" is sent`,
    severity: "approximated",
  });
  return effort;
}

function writeChoice(choice: NonNullable<CallOptions["toolChoice"]>): ToolChoice {
  if (choice === "any") return "required";
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}
