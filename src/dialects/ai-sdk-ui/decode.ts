import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { neutralOrigin } from "../../core/message/neutral.js";
import { SignatureReader, signedApi } from "../../core/message/provider-metadata.js";
import type {
  AgentMessage,
  AssistantContent,
  AssistantMessage,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { decodeAssistantPart, decodeUserPart, plainText } from "./blocks.js";
import { type Metadata, readMetadata } from "./metadata.js";
import { addNotes, extWith } from "./notes.js";
import { readOrder, withoutPlace } from "./result-order.js";
import { decodeToolPart } from "./tool-part.js";
import { noteVersion4, upgrade } from "./version-4.js";
import { isAssistant, isStepStart, isToolPart, outcomeOf } from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.flatMap((record, index) =>
    decodeRecord(record, `/${index}`, unit[index - 1]).map((message) => ({ message, record: index })),
  );
}

/** The fields of a record besides its parts. */
interface Frame extends Metadata {
  id: { id?: string };
  /** For the first message of the record. */
  notes: JsonObject;
}

function decodeRecord(record: JsonRecord, at: string, before: JsonRecord | undefined): AgentMessage[] {
  const upgraded = upgrade(record);
  const parts = partsOf(upgraded, at);
  const frame = frameOf(upgraded);
  const messages = messagesOf(upgraded["role"], parts, frame, at);
  const [first] = messages;
  if (first === undefined) return [];
  if (before !== undefined && isAssistant(before) && isAssistant(record)) addNotes(first, { apart: true });
  if (upgraded !== record) addNotes(first, noteVersion4(record, upgraded));
  return messages;
}

function messagesOf(role: unknown, parts: readonly unknown[], frame: Frame, at: string): AgentMessage[] {
  switch (role) {
    case "user":
    case "system":
      return [decodePrompt(role, parts, frame)];
    case "assistant":
      return decodeRun(parts, frame);
    default:
      throw new DragomanError("model/invalid", 'expected the role "system", "user" or "assistant"', {
        at: `${at}/role`,
      });
  }
}

function partsOf({ parts }: JsonRecord, at: string): unknown[] {
  if (Array.isArray(parts)) return parts;
  throw new DragomanError("model/invalid", "expected parts: an array", { at: `${at}/parts` });
}

function frameOf({ id, role, parts: _, metadata, ...fields }: JsonRecord): Frame {
  const read = readMetadata(metadata, role === "assistant");
  if (id !== undefined && !isString(id)) fields["id"] = id;
  return {
    ...read,
    id: isString(id) ? { id } : {},
    notes: { ...read.notes, absent: isString(id) ? [] : ["id"], fields: { ...fields, ...read.fields } },
  };
}

function decodePrompt(
  role: "user" | "system",
  parts: readonly unknown[],
  frame: Frame,
): UserMessage | SystemMessage {
  const blocks = parts.map(decodeUserPart);
  const { timestamp = 0 } = frame;
  return {
    role,
    ...frame.id,
    content: plainText(blocks) ?? blocks,
    timestamp,
    ...extWith(
      { ...frame.notes, ...(parts.length === 0 ? { empty: true } : {}) },
      frame.timestamp === undefined ? ["/timestamp"] : [],
    ),
  };
}

interface Step {
  /** The number of `step-start` parts before it. */
  starts: number;
  parts: unknown[];
}

/** A run: for each step an answer, then the results of its calls. */
function decodeRun(parts: readonly unknown[], frame: Frame): AgentMessage[] {
  const { steps, trailing } = stepsOf(parts);
  return steps.flatMap((step, index) => {
    const notes = {
      ...(index === 0 ? frame.notes : {}),
      ...(step.starts === 1 ? {} : { steps: step.starts }),
      ...(trailing > 0 && index === steps.length - 1 ? { trailing } : {}),
    };
    const own = index === 0 ? frame : { model: frame.model, id: {} };
    return decodeStep(step.parts, own, notes);
  });
}

/** The parts between `step-start` parts. A step without parts belongs to the next one. */
function stepsOf(parts: readonly unknown[]): { steps: Step[]; trailing: number } {
  const steps: Step[] = [];
  let current: Step = { starts: 0, parts: [] };
  for (const part of parts) {
    if (!isStepStart(part)) current.parts.push(part);
    else if (current.parts.length === 0) current.starts++;
    else {
      steps.push(current);
      current = { starts: 1, parts: [] };
    }
  }
  if (current.parts.length === 0 && steps.length > 0) return { steps, trailing: current.starts };
  steps.push(current);
  return { steps, trailing: 0 };
}

function decodeStep(
  parts: readonly unknown[],
  frame: Pick<Frame, "id" | "timestamp" | "model">,
  notes: JsonObject,
): AgentMessage[] {
  const api = apiOf(parts);
  const signatures = new SignatureReader(api);
  const order = orderOf(parts);
  const results: ToolResultMessage[] = [];
  const ids = new Set<string>();
  const content = parts.map((part, index): AssistantContent => {
    if (!isToolPart(part)) return decodeAssistantPart(part, signatures);
    const { call, result } = decodeToolPart(order === undefined ? part : withoutPlace(part), signatures);
    if (result !== undefined) results.push(result);
    if (result !== undefined && ids.has(call.id)) addNotes(result, { call: index });
    ids.add(call.id);
    return call;
  });
  const { timestamp, model } = frame;
  const answer: AssistantMessage = {
    role: "assistant",
    ...frame.id,
    content,
    ...neutralOrigin(content),
    api,
    model: model ?? "",
    timestamp: timestamp ?? 0,
    ...extWith(notes, [
      ...(api === "" ? ["/api"] : []),
      "/provider",
      ...(model === undefined ? ["/model"] : []),
      "/usage",
      "/stopReason",
      ...(timestamp === undefined ? ["/timestamp"] : []),
    ]),
  };
  return [answer, ...(order === undefined ? results : sorted(results, order))];
}

/** The order of the results, if their parts, and no others, state one. */
function orderOf(parts: readonly unknown[]): number[] | undefined {
  const answered = parts.filter((part) => isToolPart(part) && outcomeOf(part["state"]) !== "none");
  const order = readOrder(parts);
  return order !== undefined && sameLength(order, readOrder(answered), answered) ? order : undefined;
}

function sameLength(...lists: (readonly unknown[] | undefined)[]): boolean {
  return lists.every((list) => list?.length === lists[0]?.length);
}

function sorted(results: readonly ToolResultMessage[], order: readonly number[]): ToolResultMessage[] {
  const places = [...results.keys()].sort((left, right) => (order[left] ?? 0) - (order[right] ?? 0));
  return places.flatMap((place) => results[place] ?? []);
}

/** The API whose signatures are in a step; empty if there are none. */
function apiOf(parts: readonly unknown[]): string {
  for (const part of parts) {
    if (!isObject(part)) continue;
    const kind = part["type"] === "text" ? "text" : part["type"] === "reasoning" ? "thinking" : undefined;
    const api = isToolPart(part)
      ? signedApi(part["callProviderMetadata"], "toolCall")
      : kind && signedApi(part["providerMetadata"], kind);
    if (api !== undefined) return api;
  }
  return "";
}
