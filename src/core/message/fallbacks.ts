import { isObject } from "../json/value.js";
import type { AgentMessage } from "../types.js";

/** Why a model did not answer, where another model may answer instead. */
export const FALLBACK_REASONS = ["overload", "rateLimit", "context", "unavailable"] as const;

export type FallbackReason = (typeof FALLBACK_REASONS)[number];

/** A model that was tried before the one that answered. */
export interface FailedModel {
  /** `provider/model` */
  model: string;
  reason: FallbackReason;
}

/**
 * The models that failed before this answer, in order; empty if the first model answered. Stored in the answer's
 * `ext.fallbacks`.
 *
 * @example
 * for (const { model, reason } of fallbacksIn(message)) console.warn(model, reason);
 */
export function fallbacksIn(message: AgentMessage): FailedModel[] {
  const stored: unknown = message.role === "assistant" ? message.ext?.["fallbacks"] : undefined;
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown) => {
    if (!isObject(entry)) return [];
    const reason = FALLBACK_REASONS.find((known) => known === entry["reason"]);
    return typeof entry["model"] === "string" && reason !== undefined
      ? [{ model: entry["model"], reason }]
      : [];
  });
}

const REASONS: Readonly<Record<FallbackReason, string>> = {
  overload: "overloaded",
  rateLimit: "rate limited",
  context: "context window too small",
  unavailable: "unavailable",
};

/**
 * The same in words; undefined if the first model answered.
 *
 * @example
 * fallbackText(message); // "instead of anthropic/claude-opus-4-8 (overloaded)"
 */
export function fallbackText(message: AgentMessage): string | undefined {
  const failed = fallbacksIn(message);
  if (failed.length === 0) return undefined;
  return `instead of ${failed.map(({ model, reason }) => `${model} (${REASONS[reason]})`).join(", ")}`;
}
