import { DragomanError } from "../core/error.js";
import { defined } from "../core/json/defined.js";
import type { Candidate, Fallback } from "./ask-in-turn.js";
import { ConnectedModel, type ConnectionOptions } from "./connected-model.js";
import { FallbackModel } from "./fallback-model.js";
import type { Model } from "./model.js";

export interface ConnectOptions extends ConnectionOptions {
  /**
   * The models to ask, in order, if this one fails before its answer begins. A name uses the provider's defaults; connect the
   * model yourself to set its options.
   */
  fallbacks?: readonly (string | FallbackOption)[];
  /** Called when a request moves to another model. */
  onFallback?: (fallback: Fallback) => void;
}

export interface FallbackOption extends Omit<Candidate, "model"> {
  model: string | Model;
}

/**
 * Connects to a model by `provider/model`. Loads no provider code and sends nothing before the first call.
 *
 * @example
 * const model = connect("anthropic/claude-opus-4-6");
 * for await (const event of model.stream({ messages })) render(event);
 */
export function connect(name: string, options: ConnectOptions = {}): Model {
  const slash = name.indexOf("/");
  const provider = name.slice(0, slash);
  const id = name.slice(slash + 1);
  if (slash < 1 || id === "") {
    throw new DragomanError("provider/unknown", `"${name}" is not a model`, {
      hint: "write provider/model, such as anthropic/claude-opus-4-6",
    });
  }
  const model = new ConnectedModel(provider, id, options);
  const { fallbacks = [], onFallback = () => undefined } = options;
  if (fallbacks.length === 0) return model;
  return new FallbackModel(
    model,
    fallbacks.map((fallback) => candidateOf(fallback, options)),
    onFallback,
  );
}

function candidateOf(fallback: string | FallbackOption, options: ConnectOptions): Candidate {
  const { model, ...conditions } = typeof fallback === "string" ? { model: fallback } : fallback;
  const { fetch, world, meter, observer } = options;
  return {
    ...conditions,
    model: typeof model === "string" ? connect(model, defined({ fetch, world, meter, observer })) : model,
  };
}
