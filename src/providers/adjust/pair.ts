import { type CallRef, type PairedCall, type PairedResult, pairUp } from "../../core/message/pairs.js";
import type { ToolResultMessage } from "../../core/types.js";
import { at, blockAt, type Entry, isAssistant, isResult, type Report } from "./entry.js";

type Call = PairedCall<Entry>;

/**
 * Makes every call have exactly one result, directly after its answer, and every id name one call. Providers refuse every
 * request whose history violates this, so violations are repaired and reported.
 */
export function pair(entries: readonly Entry[], report: Report, reportId: Report = report): Entry[] {
  const final = withoutPending(entries, report);
  const { calls, answers, duplicates, orphans } = pairUp(final);
  const ids = distinctIds(calls, reportId);
  const results = new Map<Entry, Entry[]>();
  for (const call of calls) {
    const { item } = call.spot;
    const own = { ...call, id: ids.get(call.spot) ?? call.id };
    const answer = answers.get(call.spot);
    const result = answer === undefined ? addMissingResult(own, report) : fitResult(answer, own, report);
    const before = results.get(item);
    if (before === undefined) results.set(item, [result]);
    else before.push(result);
  }
  const rest = [...duplicates, ...orphans].filter(isResult);
  for (const result of rest.sort((one, other) => one.index - other.index)) reportUnpaired(result, report);
  return final.flatMap((entry) =>
    isResult(entry) ? [] : [withIds(entry, results.get(entry)), ...(results.get(entry) ?? [])],
  );
}

/** A call may have any number of pending results; providers accept only the final one. */
function withoutPending(entries: readonly Entry[], report: Report): Entry[] {
  return entries.filter((entry) => {
    if (!isResult(entry) || entry.message.isPending !== true) return true;
    report({
      at: at(entry),
      what: `a pending result for "${entry.message.toolCallId}"`,
      why: "only the final result of a call is sent",
      severity: "dropped",
    });
    return false;
  });
}

/** Gives calls with an empty or repeated id a unique one. */
function distinctIds(calls: readonly Call[], report: Report): Map<CallRef<Entry>, string> {
  const taken = new Set<string>();
  const numbers = new Map<string, number>();
  const ids = new Map<CallRef<Entry>, string>();
  for (const { id, spot } of calls) {
    const own = freeId(id, taken, numbers);
    taken.add(own);
    ids.set(spot, own);
    if (own === id) continue;
    report({
      at: blockAt(spot.item, spot.block, "/id"),
      what: id === "" ? "an empty tool id" : `the tool id "${id}", used before`,
      why: `providers refuse it; "${own}" is sent instead`,
      severity: "approximated",
    });
  }
  return ids;
}

/** `numbers` has the last number tried for each id, so that many calls with the same id take linear time. */
function freeId(id: string, taken: ReadonlySet<string>, numbers: Map<string, number>): string {
  if (id !== "" && !taken.has(id)) return id;
  const base = id === "" ? "call" : id;
  let number = numbers.get(id) ?? (id === "" ? 1 : 2);
  while (taken.has(`${base}_${number}`)) number++;
  numbers.set(id, number);
  return `${base}_${number}`;
}

/** Gives the calls of an answer the ids of their results, which have the same order. */
function withIds(entry: Entry, results: readonly Entry[] = []): Entry {
  if (!isAssistant(entry)) return entry;
  const ids = results.filter(isResult).map(({ message }) => message.toolCallId);
  const content = entry.message.content.map((block) => {
    const id = block.type === "toolCall" ? ids.shift() : undefined;
    return block.type !== "toolCall" || id === undefined || id === block.id ? block : { ...block, id };
  });
  return { ...entry, message: { ...entry.message, content } };
}

function fitResult({ result, when }: PairedResult<Entry>, { id, name }: Call, report: Report): Entry {
  if (!isResult(result)) return result;
  if (when !== "in time") {
    report({
      at: at(result),
      what: `the position of the result of "${id}"`,
      why: "providers require results directly after their call",
      severity: "approximated",
    });
  }
  const { toolName } = result.message;
  // Many transcripts do not state it; using the call's name then loses nothing.
  if (toolName !== name && toolName !== "") {
    report({
      at: at(result, "/toolName"),
      what: `the tool name "${toolName}"`,
      why: `it answers a call of "${name}", and providers require that name`,
      severity: "approximated",
    });
  }
  return { ...result, message: { ...result.message, toolCallId: id, toolName: name } };
}

function addMissingResult({ id, name, spot: { item } }: Call, report: Report): Entry<ToolResultMessage> {
  report({
    at: at(item),
    what: `a result for the call "${id}"`,
    why: "the conversation has none, and providers refuse a call without a result",
    severity: "synthesised",
    of: "message",
  });
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId: id,
    toolName: name,
    content: [{ type: "text", text: "No result was recorded for this call." }],
    isError: true,
    timestamp: item.message.timestamp,
  };
  return { message, index: item.index };
}

function reportUnpaired(rest: Entry<ToolResultMessage>, report: Report): void {
  report({
    at: at(rest),
    what: `a result for "${rest.message.toolCallId}"`,
    why: "it answers no call, and providers refuse a result without a call",
    severity: "dropped",
  });
}
