import type { Drift } from "../dialect.js";
import { isObject, type JsonObject } from "../json/value.js";
import { driftsOf } from "../records/drift.js";
import { SECONDS_END } from "../time.js";
import { foreignStop } from "./mend-message.js";
import { impliedStop } from "./neutral.js";
import { usageDrift } from "./usage-contract.js";

/** How a format with messages of the model differs from the specified message format. */
export interface Contract {
  /** The dialect's name, the prefix of the codes. */
  readonly name: string;
  /** Usage fields that real writers of the format leave out. */
  readonly optionalUsage?: readonly string[];
  /** Stop reasons besides the standard five. */
  readonly stopReasons?: readonly string[];
}

const required: ReadonlyMap<unknown, readonly string[]> = new Map([
  ["user", ["content", "timestamp"]],
  ["assistant", ["content", "api", "provider", "model", "usage", "stopReason", "timestamp"]],
  ["toolResult", ["toolCallId", "toolName", "content", "isError", "timestamp"]],
]);

const STOP_REASONS = ["stop", "length", "toolUse", "error", "aborted"];

/** Where a readable message violates the message format. `at` is its pointer in the unit. */
export function* messageDrift(message: JsonObject, at: string, contract: Contract): Generator<Drift> {
  yield* missingFields(message, at, contract);
  yield* secondsDrift(message, at, contract);
  if (message["role"] !== "assistant") return;
  yield* stopDrift(message, at, contract);
  yield* usageDrift(message, at, contract);
}

function* missingFields(message: JsonObject, at: string, { name }: Contract): Generator<Drift> {
  const { role } = message;
  const missing = (required.get(role) ?? []).filter(
    (field) => message[field] === undefined || (field === "content" && message[field] === null),
  );
  if (missing.length === 0) return;
  const hint = `add ${list(missing, "and")}; readers fill in neutral values`;
  yield driftsOf(name).warning(at, "missing-field", `the ${role} message has no ${list(missing)}`, hint);
}

function* secondsDrift({ timestamp }: JsonObject, at: string, { name }: Contract): Generator<Drift> {
  if (typeof timestamp !== "number" || timestamp <= 0 || timestamp >= SECONDS_END) return;
  const message = "the timestamp is in seconds; the format has milliseconds";
  yield driftsOf(name).warning(`${at}/timestamp`, "seconds", message, `write ${timestamp * 1000}`);
}

function* stopDrift(message: JsonObject, at: string, contract: Contract): Generator<Drift> {
  const { stopReason } = message;
  if (typeof stopReason !== "string") return;
  const { warning } = driftsOf(contract.name);
  const drift = (field: string, text: string, hint: string) =>
    warning(`${at}/${field}`, "stop-reason", text, hint);
  if (!STOP_REASONS.includes(stopReason)) {
    if (contract.stopReasons?.includes(stopReason) === true) return;
    const meant = foreignStop(stopReason, message["content"]);
    const hint = meant === undefined ? `write ${list(STOP_REASONS, "or")}` : `write "${meant}"`;
    yield drift("stopReason", `the format has no stop reason ${JSON.stringify(stopReason)}`, hint);
    return;
  }
  // A synthesised stop reason contradicts nothing.
  if (isSynthesisedIn(message, "/stopReason")) return;
  const hasError = typeof message["errorMessage"] === "string";
  const hasFailed = stopReason === "error" || stopReason === "aborted";
  const { content } = message;
  const callsTool = Array.isArray(content) && impliedStop(content) === "toolUse";
  if (hasError && !hasFailed) {
    const text = `the message has an errorMessage, but its stop reason is "${stopReason}"`;
    yield drift("errorMessage", text, 'write the stop reason "error" if the answer failed');
  }
  if (!hasError && stopReason === "error") {
    yield drift("stopReason", 'the stop reason is "error", but there is no errorMessage', "add errorMessage");
  }
  if (stopReason === "toolUse" && !callsTool) {
    const text = 'the stop reason is "toolUse", but the message calls no tool';
    yield drift("stopReason", text, 'restore the call, or write "stop" if there was none');
  }
  if (stopReason === "stop" && callsTool) {
    yield drift("stopReason", 'the message calls a tool, but its stop reason is "stop"', 'write "toolUse"');
  }
}

/** Whether a record lists a field as synthesised. */
function isSynthesisedIn({ ext }: JsonObject, pointer: string): boolean {
  const listed = isObject(ext) ? ext["synthesised"] : undefined;
  return Array.isArray(listed) && listed.includes(pointer);
}

function list(words: readonly string[], joint = "and"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${joint} ${last}`;
}
