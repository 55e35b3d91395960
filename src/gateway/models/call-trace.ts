import type { CallWatch } from "../../runtime/models.js";
import type { Runtime } from "../../runtime/runtime.js";
import type { HttpRequest } from "../types.js";

/** Traces the calls that a client makes through the gateway, in the client's own trace if it names one. */
export function observerFor(
  { telemetry }: Pick<Runtime, "telemetry">,
  { headers }: Pick<HttpRequest, "headers">,
): Pick<CallWatch, "observer"> {
  if (telemetry === undefined) return {};
  const parent = telemetry.readContext(headers);
  return { observer: telemetry.observer(() => ({ parent })) };
}
