import type { World } from "../providers/world.js";
import type { Telemetry } from "../telemetry/telemetry.js";

/** Each of them switches telemetry on. */
const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
];

/** Whether the environment asks for traces or metrics. */
function wantsTelemetry(env: World["env"]): boolean {
  const isOff = env("OTEL_SDK_DISABLED")?.trim().toLowerCase() === "true";
  return !isOff && ENDPOINTS.some((name) => (env(name)?.trim() ?? "") !== "");
}

/** Traces and metrics, if the environment asks for them; otherwise nothing is loaded. */
export async function openTelemetry(
  onNote: (text: string) => void,
  given: Partial<World> = {},
): Promise<Telemetry | undefined> {
  const { world: real } = await import("../providers/world.js");
  const { httpFetch } = await import("./http-fetch.js");
  const world = { ...real, fetch: httpFetch, ...given };
  if (!wantsTelemetry(world.env)) return undefined;
  const { Telemetry } = await import("../telemetry/telemetry.js");
  const { ownName } = await import("../mcp/own-name.js");
  const onProblem = (problem: string) => onNote(`OpenTelemetry: ${problem}`);
  return new Telemetry({ world, version: ownName().version, onProblem });
}
