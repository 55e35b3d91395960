import { ABORTED, untilAborted } from "../core/async/until-aborted.js";
import { wordsOf, wordsWithHint } from "../core/error.js";
import { isObject } from "../core/json/value.js";
import { failedResult } from "../core/message/open-calls.js";
import type { AgentEvent, AgentMessage, ToolCall, ToolResultMessage } from "../core/types.js";
import { isSuspended } from "./suspended.js";
import { resultOf } from "./tool-result.js";
import type { Tool, ToolHooks, ToolOutput } from "./types.js";

export interface ToolCallsOptions {
  tools: readonly Tool[];
  hooks: ToolHooks;
  signal: AbortSignal;
  now: () => number;
  /** Fulfilled when the results are stored. */
  store(results: readonly ToolResultMessage[]): Promise<readonly AgentMessage[]>;
}

/** A call and, once it has run, its result. */
interface Slot {
  readonly call: ToolCall;
  /** The latest progress that was not emitted yet. */
  update?: ToolOutput;
  result?: ToolResultMessage;
  afterwards?: readonly AgentMessage[];
}

/** A call that may run. */
interface Runnable {
  slot: Slot;
  tool: Tool;
  args: unknown;
}

/**
 * The calls of one answer. Adjacent calls run concurrently, a sequential one runs alone, and results are stored in the order
 * of the calls. The reader can stop at any event: `finish` then closes the open calls.
 */
export class ToolCalls {
  readonly #options: ToolCallsOptions;
  readonly #slots: readonly Slot[];
  readonly #stored: AgentMessage[] = [];
  #isInspecting = false;

  constructor(calls: readonly ToolCall[], options: ToolCallsOptions) {
    this.#options = options;
    this.#slots = calls.map((call) => ({ call }));
  }

  /** Whether the calls without a stored result are still being inspected: none of them has run. */
  get isInspecting(): boolean {
    return this.#isInspecting;
  }

  /** Messages that the tools add to the log after their results. */
  get afterwards(): AgentMessage[] {
    return this.#slots.flatMap(({ afterwards }) => afterwards ?? []);
  }

  /** Runs the calls; `tool_execution_end` events come in order of completion. */
  async *events(): AsyncGenerator<AgentEvent> {
    const { signal } = this.#options;
    for (const group of this.#groups()) {
      const inspected: Runnable[] = [];
      this.#isInspecting = true;
      for (const slot of group) {
        if (signal.aborted) break;
        const { id: toolCallId, name: toolName, arguments: args } = slot.call;
        yield { type: "tool_execution_start", toolCallId, toolName, args };
        const checked = await this.#check(slot);
        if ("slot" in checked) {
          inspected.push(checked);
        } else {
          slot.result = checked;
          yield endEvent(checked);
        }
      }
      if (isSuspended(signal)) return;
      const runnable = yield* this.#start(inspected);
      this.#isInspecting = false;
      yield* this.#run(runnable);
      if (signal.aborted) return;
      await this.#store(this.#slots.indexOf(group[0]) + group.length);
    }
  }

  /** Gives every call without a result one with this reason, and returns all results as stored. */
  async finish(why: string): Promise<readonly AgentMessage[]> {
    for (const slot of this.#slots) slot.result ??= failedResult(slot.call, why, this.#options.now());
    await this.#store(this.#slots.length);
    return this.#stored;
  }

  async #store(end: number): Promise<void> {
    const results = this.#slots.slice(this.#stored.length, end).flatMap(({ result }) => result ?? []);
    this.#stored.push(...(await this.#options.store(results)));
  }

  /** `a b S c` → `[a b] [S] [c]` */
  #groups(): [Slot, ...Slot[]][] {
    const groups: [Slot, ...Slot[]][] = [];
    let alone = true;
    for (const slot of this.#slots) {
      const sequential = this.#toolOf(slot.call)?.sequential === true;
      const last = groups.at(-1);
      if (last === undefined || alone || sequential) groups.push([slot]);
      else last.push(slot);
      alone = sequential;
    }
    return groups;
  }

  #toolOf(call: ToolCall): Tool | undefined {
    return this.#options.tools.find(({ name }) => name === call.name);
  }

  /** A call that may run, or the result that states why it must not. */
  async #check(slot: Slot): Promise<Runnable | ToolResultMessage> {
    const { call } = slot;
    const { tools, hooks, signal, now } = this.#options;
    const refuse = (why: string) => failedResult(call, why, now());
    const tool = this.#toolOf(call);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(", ");
      return refuse(`there is no tool "${call.name}"; there ${names === "" ? "are none" : `are: ${names}`}`);
    }
    if (call.argumentsError !== undefined) return refuse(call.argumentsError);
    try {
      const args: unknown = structuredClone(call.arguments);
      const problems = tool.validatesItself === true ? undefined : await problemsOf(tool, args);
      if (problems !== undefined) return refuse(problems);
      const verdict = await untilAborted(Promise.resolve(hooks.before?.(call, args, tool, signal)), signal);
      if (verdict === ABORTED) return refuse("aborted");
      return verdict === undefined ? { slot, tool, args } : refuse(verdict.block);
    } catch (error) {
      return refuse(wordsOf(error));
    }
  }

  /** The calls that may run now: all of them, or none if the start cannot be recorded. */
  async *#start(inspected: readonly Runnable[]): AsyncGenerator<AgentEvent, readonly Runnable[]> {
    const { hooks, now } = this.#options;
    try {
      await hooks.start?.();
      return inspected;
    } catch (error) {
      for (const { slot } of inspected) {
        slot.result = failedResult(slot.call, wordsOf(error), now());
        yield endEvent(slot.result);
      }
      return [];
    }
  }

  async *#run(runnable: readonly Runnable[]): AsyncGenerator<AgentEvent> {
    const results: ToolResultMessage[] = [];
    const progress = new Notifier();
    for (const each of runnable) {
      const { slot } = each;
      const update = (partial: ToolOutput) => {
        if (slot.result !== undefined) return;
        slot.update = partial;
        progress.notify();
      };
      this.#execute(each, update).then((result) => {
        slot.result = result;
        results.push(result);
        progress.notify();
      });
    }
    let left = runnable.length;
    while (left > 0) {
      await progress.wait();
      for (const { slot } of runnable) yield* updateEvents(slot);
      for (const result of results.splice(0)) {
        left--;
        yield endEvent(result);
      }
    }
  }

  /** Runs one call. Never rejects, and ends with the signal: a tool that ignores it is abandoned. */
  async #execute(
    { slot, tool, args }: Runnable,
    update: (partial: ToolOutput) => void,
  ): Promise<ToolResultMessage> {
    const { call } = slot;
    const { signal, now } = this.#options;
    if (signal.aborted) return failedResult(call, "aborted", now());
    try {
      const work = Promise.resolve(tool.execute(args, { toolCallId: call.id, signal, update }));
      const output = await untilAborted(work, signal);
      if (output === ABORTED) return failedResult(call, "aborted", now());
      const result = resultOf(call, output, now());
      if (isObject(output) && output.afterwards !== undefined) slot.afterwards = output.afterwards;
      return await this.#applyAfterHook(call, result);
    } catch (error) {
      return await this.#applyAfterHook(call, failedResult(call, wordsWithHint(error), now()));
    }
  }

  async #applyAfterHook(call: ToolCall, result: ToolResultMessage): Promise<ToolResultMessage> {
    const { hooks, signal, now } = this.#options;
    try {
      const changed = await untilAborted(Promise.resolve(hooks.after?.(call, result)), signal);
      if (changed === ABORTED || changed === undefined) return result;
      return { ...changed, toolCallId: call.id, toolName: call.name };
    } catch (error) {
      return failedResult(call, `the call ran, but a hook failed on its result: ${wordsOf(error)}`, now());
    }
  }
}

async function problemsOf(tool: Tool, args: unknown): Promise<string | undefined> {
  // Loaded by the first call, to keep start-up fast.
  const { argumentProblems } = await import("./check-arguments.js");
  return argumentProblems(tool, args);
}

/** A call's latest progress, once. */
function* updateEvents(slot: Slot): Generator<AgentEvent> {
  const { call, update } = slot;
  if (update === undefined) return;
  delete slot.update;
  const { id: toolCallId, name: toolName, arguments: args } = call;
  yield { type: "tool_execution_update", toolCallId, toolName, args, partialResult: update };
}

function endEvent({ toolCallId, toolName, content, details, isError }: ToolResultMessage): AgentEvent {
  const result = { content, ...(details === undefined ? {} : { details }) };
  return { type: "tool_execution_end", toolCallId, toolName, result, isError };
}

/** Any number of notifications before a wait count as one. */
class Notifier {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  async wait(): Promise<void> {
    if (!this.#isNotified) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#isNotified = false;
  }
}
