import { isEmpty, isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import { isBroken } from "../../core/message/failure.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { emptyUsage, sumUsage } from "../../core/message/usage.js";
import { isAbsent, withFields } from "../../core/records/deviation.js";
import { FieldReader } from "../../core/records/field-reader.js";
import type { AssistantMessage, Usage } from "../../core/types.js";
import { notesOf } from "./notes.js";
import { METRICS } from "./wire.js";

/** For each field of `metrics`, the pointer to its field in the model. */
const pointers = {
  inputTokens: "/usage/input",
  outputTokens: "/usage/output",
  cacheReadTokens: "/usage/cacheRead",
  cacheWriteTokens: "/usage/cacheWrite",
  cost: "/usage/cost",
};

/** Fields that the contract requires even if they are unknown. */
const REQUIRED: readonly string[] = ["cacheReadTokens", "cacheWriteTokens", "cost"];

const costParts = ["input", "output", "cacheRead", "cacheWrite"].map((part) => `/usage/cost/${part}`);

interface DecodedMetrics {
  usage: Usage;
  synthesised: string[];
  absent: string[];
  notes: JsonObject;
}

/** `inputTokens` includes cached tokens, `usage.input` does not. If the numbers contradict this, they are used unchanged. */
export function decodeMetrics(metrics: unknown): DecodedMetrics {
  const usage = emptyUsage();
  if (!isObject(metrics)) return { usage, synthesised: ["/usage"], absent: [], notes: {} };
  const fields = new FieldReader(metrics);
  const known: Partial<Record<(typeof METRICS)[number], number>> = {};
  for (const field of METRICS) Object.assign(known, fields.optional(field, isNumber));
  const { rest } = fields;
  const missing = METRICS.filter((field) => known[field] === undefined);
  if (missing.length === METRICS.length)
    return { usage, synthesised: ["/usage"], absent: [], notes: { metrics: rest } };
  const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, cost = 0 } = known;
  const cached = cacheReadTokens + cacheWriteTokens;
  const included = inputTokens - cached;
  const cacheApart = known.inputTokens !== undefined && !(included >= 0 && included + cached === inputTokens);
  usage.input = known.inputTokens === undefined || cacheApart ? inputTokens : included;
  usage.output = outputTokens;
  usage.cacheRead = cacheReadTokens;
  usage.cacheWrite = cacheWriteTokens;
  usage.totalTokens = usage.input + outputTokens + cached;
  usage.cost.total = cost;
  return {
    usage,
    synthesised: [
      ...missing.filter((field) => field !== "cost").map((field) => pointers[field]),
      ...(missing.some((field) => field !== "cost") ? ["/usage/totalTokens"] : []),
      // The contract also writes 0 for an unknown cost.
      ...(cost === 0 ? [pointers.cost] : costParts),
    ],
    absent: missing,
    notes: {
      ...(cacheApart ? { cacheApart } : {}),
      ...(isEmpty(rest) ? {} : { metrics: rest }),
    },
  };
}

/** The sum over these messages; undefined if no usage is known. */
export function encodeMetrics(messages: readonly AssistantMessage[]): JsonObject | undefined {
  const notes = notesOf(messages.at(-1));
  const { metrics: rest } = notes;
  const counted = messages.filter((message) => !isUsageUnknown(message));
  const [only, ...others] = counted;
  if (only === undefined) return isObject(rest) ? rest : undefined;
  // A single usage is used unchanged: a sum is rounded to twelve decimals.
  const usage = others.length === 0 ? only.usage : sumUsage(counted.map((message) => message.usage));
  const values = {
    inputTokens: counted.map(inputOf).reduce((sum, tokens) => sum + tokens),
    outputTokens: usage.output,
    cacheReadTokens: usage.cacheRead,
    cacheWriteTokens: usage.cacheWrite,
    cost: usage.cost.total,
  };
  const metrics: JsonObject = {};
  for (const field of METRICS) {
    const isKnown = counted.some((message) => !isSynthesised(message, pointers[field]));
    const isWanted = REQUIRED.includes(field) && !isAbsent(notes, field);
    if (isKnown || isWanted) metrics[field] = values[field];
  }
  return withFields(metrics, rest);
}

/** For an answer that was cut off, logs of earlier releases mark only the cost as unknown, with all tokens 0. */
export function isUsageUnknown(message: AssistantMessage): boolean {
  if (isSynthesised(message, "/usage")) return true;
  return isBroken(message) && isSynthesised(message, "/usage/cost") && isUsageEmpty(message.usage);
}

export function isUsageEmpty({ input, output, cacheRead, cacheWrite, cost }: Usage): boolean {
  return input + output + cacheRead + cacheWrite + cost.total === 0;
}

function inputOf(message: AssistantMessage): number {
  const { usage } = message;
  const apart = notesOf(message)["cacheApart"] === true;
  return apart ? usage.input : usage.input + (usage.cacheRead + usage.cacheWrite);
}
