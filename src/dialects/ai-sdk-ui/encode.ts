import type { JsonRecord } from "../../core/dialect.js";
import { isNumber, isString, type JsonObject } from "../../core/json/value.js";
import { derivedId } from "../../core/message/derived-id.js";
import { isSilent } from "../../core/message/failure.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  AssistantMessage,
  SystemMessage,
  ToolResultMessage,
  UserMessage,
} from "../../core/types.js";
import { encodeBlock } from "./blocks.js";
import { writeMetadata } from "./metadata.js";
import { notesOf } from "./notes.js";
import { withPlace } from "./result-order.js";
import { encodeToolPart } from "./tool-part.js";
import { asVersion4 } from "./version-4.js";

/** A run lasts until the next user message, so that results find their calls. */
export function joinsMessage(_: AgentMessage, next: AgentMessage): boolean {
  return next.role !== "user";
}

/** An answer with the results of its calls, by the index of the call in its content. */
interface Step {
  answer: AssistantMessage;
  results: Map<number, ToolResultMessage>;
}

type Written = { message: UserMessage | SystemMessage } | { steps: [Step, ...Step[]] };

/** The records of a run: all consecutive answers are one message. */
export function encode(unit: readonly AgentMessage[], _next?: AgentMessage, last?: JsonRecord): JsonRecord[] {
  let before = isString(last?.["id"]) ? last["id"] : undefined;
  const records: JsonRecord[] = [];
  for (const [place, written] of groupsOf(unit).entries()) {
    const first = "steps" in written ? written.steps[0].answer : written.message;
    const parts = "steps" in written ? written.steps.flatMap(partsOfStep) : partsOf(written.message);
    // The SDK refuses a user or system message without parts.
    if (parts.length === 0 && !("steps" in written) && notesOf(first)["empty"] !== true) continue;
    const record = recordOf(first, parts, () => derivedId(first, place, before));
    before = isString(record["id"]) ? record["id"] : before;
    records.push(record);
  }
  return records;
}

/** The messages of a unit as they are written together. Other roles have no place in the format. */
function groupsOf(unit: readonly AgentMessage[]): Written[] {
  const groups: Written[] = [];
  const steps: Step[] = [];
  for (const message of unit) {
    switch (message.role) {
      case "user":
      case "system":
        groups.push({ message });
        break;
      case "assistant": {
        if (isSilent(message)) break;
        const step: Step = { answer: message, results: new Map() };
        const run = groups.at(-1);
        steps.push(step);
        if (run !== undefined && "steps" in run && notesOf(message)["apart"] !== true) run.steps.push(step);
        else groups.push({ steps: [step] });
        break;
      }
      case "toolResult":
        attach(message, steps);
        break;
    }
  }
  return groups;
}

/** Adds a result to the latest answer with an open call of its id. A result without a call is not written. */
function attach(result: ToolResultMessage, steps: readonly Step[]): void {
  const { call: noted } = notesOf(result);
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at];
    if (step === undefined) continue;
    const isOpen = (index: number) => !step.results.has(index);
    const isCall = (index: number) => {
      const block = step.answer.content[index];
      return block?.type === "toolCall" && block.id === result.toolCallId && isOpen(index);
    };
    const index =
      isNumber(noted) && isCall(noted) ? noted : step.answer.content.findIndex((_, place) => isCall(place));
    if (index < 0) continue;
    step.results.set(index, result);
    return;
  }
}

function partsOfStep({ answer, results }: Step): unknown[] {
  const { steps = 1, trailing = 0 } = notesOf(answer);
  const arrived = [...results.keys()];
  const isSorted = arrived.every((index, place) => place === 0 || index > (arrived[place - 1] ?? 0));
  const places = new Map(isSorted ? [] : arrived.map((index, place) => [index, place]));
  const placed = (part: JsonObject, index: number) => {
    const place = places.get(index);
    return place === undefined ? part : withPlace(part, place);
  };
  return [
    ...stepStarts(steps),
    ...answer.content.flatMap((block, index) =>
      block.type === "toolCall"
        ? [placed(encodeToolPart(block, results.get(index), answer.api), index)]
        : encodeBlock(block, answer.api),
    ),
    ...stepStarts(trailing),
  ];
}

/** At most a thousand: the number comes from notes, which may be forged. */
function stepStarts(count: unknown): JsonObject[] {
  const length = isNumber(count) ? Math.min(Math.max(Math.trunc(count), 0), 1000) : 0;
  return Array.from({ length }, () => ({ type: "step-start" }));
}

function partsOf({ content }: UserMessage | SystemMessage): unknown[] {
  if (isString(content)) return [{ type: "text", text: content }];
  return content.flatMap((block) => encodeBlock(block, ""));
}

function recordOf(
  first: UserMessage | SystemMessage | AssistantMessage,
  parts: unknown[],
  deriveId: () => string,
): JsonRecord {
  const notes = notesOf(first);
  const metadata = writeMetadata(first);
  const id = first.id ?? (isAbsent(notes, "id") ? undefined : deriveId());
  const ours = {
    ...(id === undefined ? {} : { id }),
    role: first.role,
    ...(metadata === undefined ? {} : { metadata }),
    parts,
  };
  return asVersion4(withFields(ours, notes["fields"]), notes["version4"]);
}
