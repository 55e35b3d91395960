import type { AssistantMessage, ToolCall, ToolResultMessage } from "../../core/types.js";
import { at, blockAt, type Entry, isAssistant, isResult, type Report } from "./entry.js";

/**
 * Makes every call have exactly one result, right after its answer, and every id name one call. Providers refuse a
 * history for ever once one of these is broken, so each is mended here, and each is reported.
 */
export function pair(entries: readonly Entry[], report: Report, reportId: Report = report): Entry[] {
  const answers = distinctIds(withoutPending(entries, report), reportId);
  const results = new Results(answers);
  const paired = answers.flatMap((entry): Entry[] => {
    if (isResult(entry)) return [];
    if (!isAssistant(entry)) return [entry];
    return [entry, ...callsOf(entry.message).map((call) => results.take(call, entry, report))];
  });
  results.reportRest(report);
  return paired;
}

/** A call may have any number of pending results, and providers take one. */
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

function callsOf({ content }: AssistantMessage): ToolCall[] {
  return content.filter((block) => block.type === "toolCall");
}

/** Gives calls whose id is empty or taken an id of their own; results go to the latest answer that used the id. */
function distinctIds(entries: readonly Entry[], report: Report): Entry[] {
  const taken = new Set<string>();
  /** By the id that a result says: the calls it can mean, those without a result first. */
  const meaning = new Map<string, { waiting: string[]; last: string }>();
  return entries.map((entry) => {
    if (isResult(entry)) return { ...entry, message: redirect(entry.message, meaning) };
    if (!isAssistant(entry)) return entry;
    for (const call of callsOf(entry.message)) meaning.delete(call.id);
    const content = entry.message.content.map((block, index) => {
      if (block.type !== "toolCall") return block;
      const id = freeId(block.id, taken);
      taken.add(id);
      meaning.set(block.id, { waiting: [...(meaning.get(block.id)?.waiting ?? []), id], last: id });
      if (id === block.id) return block;
      report({
        at: blockAt(entry, index, "/id"),
        what: block.id === "" ? "an empty tool id" : `the tool id "${block.id}", used before`,
        why: `providers refuse it; "${id}" is sent instead`,
        severity: "approximated",
      });
      return { ...block, id };
    });
    return { ...entry, message: { ...entry.message, content } };
  });
}

function redirect(
  message: ToolResultMessage,
  meaning: ReadonlyMap<string, { waiting: string[]; last: string }>,
): ToolResultMessage {
  const meant = meaning.get(message.toolCallId);
  const id = meant?.waiting.shift() ?? meant?.last;
  return id === undefined || id === message.toolCallId ? message : { ...message, toolCallId: id };
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  if (id !== "" && !taken.has(id)) return id;
  const base = id === "" ? "call" : id;
  let number = id === "" ? 1 : 2;
  while (taken.has(`${base}_${number}`)) number++;
  return `${base}_${number}`;
}

/** The results of a conversation by the call they answer, handed out once each. */
class Results {
  readonly #byId = new Map<string, Entry<ToolResultMessage>[]>();
  /** What each result comes right after, other results aside. */
  readonly #follows = new Map<Entry, Entry>();

  constructor(entries: readonly Entry[]) {
    let last: Entry | undefined;
    for (const entry of entries) {
      if (!isResult(entry)) {
        last = entry;
        continue;
      }
      if (last !== undefined) this.#follows.set(entry, last);
      const same = this.#byId.get(entry.message.toolCallId);
      if (same === undefined) this.#byId.set(entry.message.toolCallId, [entry]);
      else same.push(entry);
    }
  }

  take(call: ToolCall, answer: Entry<AssistantMessage>, report: Report): Entry<ToolResultMessage> {
    const result = this.#byId.get(call.id)?.shift();
    if (result === undefined) {
      report({
        at: at(answer),
        what: `a result for the call "${call.id}"`,
        why: "the conversation has none, and providers refuse a call without a result",
        severity: "synthesised",
      });
      return { message: missingResult(call, answer.message), index: answer.index };
    }
    if (this.#follows.get(result) !== answer) {
      report({
        at: at(result),
        what: `the place of the result of "${call.id}"`,
        why: "providers want results right after their call",
        severity: "approximated",
      });
    }
    const { toolName } = result.message;
    if (toolName === call.name) return result;
    // Many a transcript does not say it, and nothing is lost when the call's is taken.
    if (toolName !== "") {
      report({
        at: at(result, "/toolName"),
        what: `the tool name "${toolName}"`,
        why: `it answers a call of "${call.name}", and providers want the name of the call`,
        severity: "approximated",
      });
    }
    return { ...result, message: { ...result.message, toolName: call.name } };
  }

  reportRest(report: Report): void {
    for (const rest of [...this.#byId.values()].flat()) {
      report({
        at: at(rest),
        what: `a result for "${rest.message.toolCallId}"`,
        why: "no call is left that it could answer, and providers refuse a result without a call",
        severity: "dropped",
      });
    }
  }
}

function missingResult(call: ToolCall, { timestamp }: AssistantMessage): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: "No result was recorded for this call." }],
    isError: true,
    timestamp,
  };
}
