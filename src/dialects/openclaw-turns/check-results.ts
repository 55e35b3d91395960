import type { Drift } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { NAME } from "./wire.js";

const { warning } = driftsOf(NAME);

/** Checks the `toolResult` of a tool turn. */
export function* checkResult(result: unknown, at: string): Generator<Drift> {
  if (!isObject(result)) {
    yield warning(at, "no-result", "a tool turn has no toolResult");
    return;
  }
  const place = `${at}/toolResult`;
  if (typeof result["toolCallId"] !== "string") {
    const hint = "add the id of the call it answers";
    yield warning(place, "no-call-id", "the tool result has no call id", hint);
  }
  if (result["output"] !== undefined && result["error"] !== undefined) {
    const message = "the tool result has both an output and an error";
    yield warning(place, "output-and-error", message, "move the output into content; it is read as an error");
  }
  const { isPending } = result;
  if (isPending !== undefined && typeof isPending !== "boolean") {
    yield warning(`${place}/isPending`, "bad-field", "isPending is not a boolean", "write true or false");
  }
}
