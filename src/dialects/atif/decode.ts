import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { parseArguments } from "../../core/json/arguments.js";
import { isEmpty, isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop, undated } from "../../core/message/neutral.js";
import { stableDeviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import { instantOf } from "../../core/time.js";
import type {
  AgentMessage,
  AssistantMessage,
  CompactionMessage,
  SystemMessage,
  ToolCall,
  UserMessage,
} from "../../core/types.js";
import { decodeContent, isListed } from "./blocks.js";
import {
  decodeLoneResult,
  decodeResult,
  type ResultMessage,
  resultsOf,
  resultTimesIn,
  setTime,
} from "./decode-result.js";
import { encodeCall, encodeHead } from "./encode-step.js";
import { decodeHeader } from "./header.js";
import { decodeMetrics } from "./metrics.js";
import { addNotes } from "./notes.js";
import { agentModel, isAhead, isHeader, isUnnumbered, RESULT_TIMES, SOURCES } from "./wire.js";

export function decode(unit: readonly JsonRecord[], last?: JsonRecord): Decoded[] {
  let header = last;
  return unit.flatMap((record, index) => {
    if (!isHeader(record)) return decodeStep(record, index, agentModel(header));
    header = record;
    const session = decodeHeader(record, `/${index}`);
    return session === undefined ? [] : [{ message: session, record: index }];
  });
}

/** The message of a step, and the results that it observed. */
function decodeStep(step: JsonRecord, index: number, model: string | undefined): Decoded[] {
  const at = `/${index}`;
  const { source, message } = step;
  if (!SOURCES.some((known) => known === source)) {
    throw unexpected(`${at}/source`, 'a source: "system", "user" or "agent"', source);
  }
  const results = resultsOf(step, at);
  const compaction = decodeCompaction(step, results);
  if (compaction !== undefined) return [{ message: noted(compaction, step), record: index }];
  const isSilent = source === "system" && message === "" && results.length > 0;
  const head = isSilent ? undefined : decodeHead(step, at, model);
  const calls = callsIn(head);
  const times = resultTimesIn(step, results, head === undefined);
  const messages = results.map((result, place): ResultMessage => {
    if (head === undefined && place === 0)
      return decodeLoneResult(result, step, `${at}/observation/results/0`);
    const one = decodeResult(result, calls, `${at}/observation/results/${place}`);
    const time = times?.[place];
    if (time !== undefined) setTime(one, time);
    const isAnswer = one.role === "toolResult" && calls.has(one.toolCallId);
    addNotes(one, isAnswer ? {} : { joined: true });
    return one;
  });
  const [first] = head === undefined ? messages : [head];
  if (first !== undefined) noted(first, times === undefined ? step : withoutTimes(step));
  return [
    ...(head === undefined ? [] : [{ message: head, record: index }]),
    ...messages.map((one, place) => ({
      message: one,
      record: index,
      base: `/observation/results/${place}`,
    })),
  ];
}

/** Notes on a step's first message how the step differs from ours, without its calls and results. */
function noted<T extends AgentMessage>(message: T, step: JsonRecord): T {
  const isCompaction = message.role === "compaction";
  const written = isCompaction ? step : withoutLists(step, message.role === "assistant");
  const found = stableDeviations(written, encodeHead(message), { inside: "all", guarded: true });
  addNotes(message, {
    ...found,
    ...(isAhead(step) ? { ahead: true } : {}),
    ...(isUnnumbered(step) ? { unnumbered: true } : {}),
  });
  return message;
}

/** The step without the calls and results that are read as blocks and messages. */
function withoutLists(step: JsonRecord, isAnswer: boolean): JsonRecord {
  const rest = { ...step };
  if (isAnswer && isFilled(rest["tool_calls"])) Reflect.deleteProperty(rest, "tool_calls");
  const { observation } = rest;
  if (!isObject(observation) || !isFilled(observation["results"])) return rest;
  const { results: _, ...others } = observation;
  if (isEmpty(others)) Reflect.deleteProperty(rest, "observation");
  else rest["observation"] = others;
  return rest;
}

/** The step without the times of its results. */
function withoutTimes(step: JsonRecord): JsonRecord {
  const { extra, ...others } = step;
  if (!isObject(extra)) return step;
  const { [RESULT_TIMES]: _, ...rest } = extra;
  return isEmpty(rest) ? others : { ...others, extra: rest };
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}

/** By convention: a system step whose observation replaces everything before it. */
function decodeCompaction(step: JsonRecord, results: readonly JsonObject[]): CompactionMessage | undefined {
  const { source, extra } = step;
  const management = isObject(extra) ? extra["context_management"] : undefined;
  const [result, ...others] = results;
  if (source !== "system" || !isObject(management) || result === undefined || others.length > 0)
    return undefined;
  const { content, source_call_id: call } = result;
  const replaces = management["type"] === "compaction" && management["boundary"] === "replace";
  if (!replaces || !isString(content) || isString(call)) return undefined;
  return { role: "compaction", summary: content, ...timeOf(step) };
}

function decodeHead(
  step: JsonRecord,
  at: string,
  model: string | undefined,
): UserMessage | SystemMessage | AssistantMessage {
  const { source, message } = step;
  const blocks = decodeContent(message, `${at}/message`);
  if (source === "agent") {
    const answer = decodeAnswer(step, at, model, blocks);
    addNotes(answer, isListed(message) ? { parts: true } : {});
    return answer;
  }
  const role = source === "user" ? "user" : "system";
  const head: UserMessage | SystemMessage = {
    role,
    content: Array.isArray(message) ? blocks : isString(message) ? message : "",
    ...timeOf(step),
  };
  addNotes(head, isListed(message) ? { parts: true } : {});
  return head;
}

function decodeAnswer(
  step: JsonRecord,
  at: string,
  agentsModel: string | undefined,
  blocks: AssistantMessage["content"],
): AssistantMessage {
  const { reasoning_content: thinking, tool_calls: list, model_name: name } = step;
  const content: AssistantMessage["content"] = [
    ...(isString(thinking) && thinking !== "" ? [{ type: "thinking" as const, thinking }] : []),
    ...blocks,
  ];
  if (list !== undefined && list !== null && !Array.isArray(list)) {
    throw unexpected(`${at}/tool_calls`, "an array of tool calls", list);
  }
  const replaced: string[] = [];
  for (const [index, call] of (list ?? []).entries()) {
    const args = isObject(call) ? call["arguments"] : undefined;
    if (!isObject(args) && !isString(args)) replaced.push(`/content/${content.length}/arguments`);
    content.push(decodeCall(call, `${at}/tool_calls/${index}`));
  }
  const model = isString(name) ? name : agentsModel;
  const { usage, synthesised } = decodeMetrics(step["metrics"]);
  const { timestamp, ext } = timeOf(step);
  return {
    role: "assistant",
    content,
    api: "",
    provider: "",
    model: model ?? "",
    usage,
    stopReason: impliedStop(content),
    timestamp,
    ext: {
      synthesised: [
        "/api",
        "/provider",
        ...(model === undefined ? ["/model"] : []),
        ...synthesised,
        "/stopReason",
        ...(ext?.synthesised ?? []),
        ...replaced,
      ],
    },
  };
}

function decodeCall(call: unknown, at: string): ToolCall {
  if (!isObject(call)) throw unexpected(at, "a tool call", call);
  const { tool_call_id: id, function_name: name, arguments: args } = call;
  if (!isString(id)) throw unexpected(`${at}/tool_call_id`, "the call's id, a string", id);
  if (!isString(name)) throw unexpected(`${at}/function_name`, "the tool's name, a string", name);
  const block: ToolCall = {
    type: "toolCall",
    id,
    name,
    ...(isObject(args) ? { arguments: args } : parseArguments(isString(args) ? args : "")),
  };
  addNotes(block, stableDeviations(call, encodeCall(block), { guarded: true }) ?? {});
  return block;
}

/** The tools by the ids of their calls. */
function callsIn(message: AgentMessage | undefined): Map<string, string> {
  if (message?.role !== "assistant") return new Map();
  return new Map(
    message.content.flatMap((block) => (block.type === "toolCall" ? [[block.id, block.name] as const] : [])),
  );
}

function timeOf({ timestamp }: JsonRecord): { timestamp: number; ext?: { synthesised: string[] } } {
  const time = isString(timestamp) ? instantOf(timestamp) : undefined;
  return time === undefined ? undated() : { timestamp: time };
}
