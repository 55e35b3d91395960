import type { CallOptions, Context } from "../core/api/provider.js";
import type { Tokens } from "../core/message/usage.js";
import type { LiveAssistantMessageEvent, Usage } from "../core/types.js";
import type { MeteredModel } from "./meter.js";

/** Follows calls of models, for traces. */
export interface CallObserver {
  /** Called when a call begins, before its request is written. */
  begin(operation: "chat" | "embeddings", model: Pick<MeteredModel, "provider" | "id">): ObservedCall;
}

/** One call. Every call ends once: with its terminal event, with a failure, or when its caller leaves. */
export interface ObservedCall {
  /** Whether it needs all of the answer's content. */
  readonly wantsContent: boolean;
  /** What the model is asked. */
  describe(context: Context, options: CallOptions): void;
  /** Called with the address of the request; returns headers to add. */
  headersFor(url: string): Readonly<Record<string, string>>;
  /** Called with the counts that the provider reports. */
  noteTokens(tokens: Tokens): void;
  /** Called with each event as the caller gets it. */
  observe(event: LiveAssistantMessageEvent): void;
  /** Does nothing after the terminal event. `usage` is of a call without events. */
  end(result?: { usage?: Usage | undefined; error?: unknown }): void;
}

/** Makes a call that has no events, such as one for embeddings. */
export async function observeResult<T extends { usage?: Usage }>(
  observed: ObservedCall | undefined,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const result = await call();
    observed?.end({ usage: result.usage });
    return result;
  } catch (error) {
    observed?.end({ error });
    throw error;
  }
}
