import type { AgentModel } from "../../src/agent/types.js";
import type { Context } from "../../src/core/api/provider.js";
import {
  type AssistantContent,
  type AssistantMessage,
  type AssistantMessageEvent,
  emptyUsage,
  events,
  liveEvents,
} from "../../src/core/index.js";

/** What the model does when it is asked: an answer, an error it throws before one, or events of its own making. */
export type Step =
  | Partial<AssistantMessage>
  | Error
  | ((context: Context, signal: AbortSignal | undefined) => AsyncIterable<AssistantMessageEvent>);

export interface ScriptedModel extends AgentModel {
  /** What it was asked, each time. */
  readonly asked: Context[];
}

/** An answer; it stops for its calls if it has any. */
export function answer(content: AssistantContent[], rest: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    role: "assistant",
    content,
    api: "scripted",
    provider: "scripted",
    model: "m",
    usage: emptyUsage(),
    stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    timestamp: 1,
    ...rest,
  };
}

export function says(text: string): AssistantMessage {
  return answer([{ type: "text", text }]);
}

export function calls(
  ...list: [id: string, name: string, args?: Record<string, unknown>][]
): AssistantMessage {
  return answer(list.map(([id, name, args = {}]) => ({ type: "toolCall", id, name, arguments: args })));
}

/** Plays its steps in order; asked more often than it has steps, it throws. Text arrives four characters at a time. */
export function scriptedModel(steps: readonly Step[], card: AgentModel["card"] = {}): ScriptedModel {
  const asked: Context[] = [];
  return {
    provider: "scripted",
    id: "m",
    card,
    asked,
    async *stream(context, options) {
      const step = steps[asked.length];
      asked.push(context);
      if (step === undefined) throw new Error("the script has ended");
      if (step instanceof Error) throw step;
      if (typeof step === "function") {
        yield* liveEvents(step(context, options?.signal), options?.signal);
        return;
      }
      const whole = answer(step.content ?? [], step);
      yield* liveEvents(asynchronous(events(whole, (text) => text.match(/.{1,4}/gsu) ?? [])));
    },
  };
}

async function* asynchronous<T>(items: Iterable<T>): AsyncGenerator<T> {
  for (const item of items) yield await Promise.resolve(item);
}
