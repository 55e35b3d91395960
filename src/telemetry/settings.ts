import type { Attributes } from "./wire.js";

type Environment = (name: string) => string | undefined;

/** Where one kind of data is sent. */
export interface Destination {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** For one attempt. */
  timeoutMs: number;
}

/** What the environment asks for. */
export interface TelemetrySettings {
  traces: Destination | undefined;
  metrics: Destination | undefined;
  resource: Attributes;
  /** How long a span waits for others before it is sent. */
  spanDelayMs: number;
  metricIntervalMs: number;
  /** Whether spans have the messages, and the arguments and results of tools. */
  capturesContent: boolean;
}

const TIMEOUT_MS = 10_000;
const SPAN_DELAY_MS = 5_000;
const METRIC_INTERVAL_MS = 60_000;
const CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/**
 * Reads the variables that OpenTelemetry defines for exporters. A variable that cannot be used is reported and switches off what
 * it is about: a shell's settings for other programs must not stop this one.
 */
export function readSettings(env: Environment, onProblem: (problem: string) => void): TelemetrySettings {
  const read = (name: string) => {
    const value = env(name)?.trim();
    return value === "" ? undefined : value;
  };
  const traces = destination("TRACES", "v1/traces", read, onProblem);
  const metrics = destination("METRICS", "v1/metrics", read, onProblem);
  return {
    traces,
    metrics,
    resource: { ...resourceOf(read, onProblem) },
    spanDelayMs: numberIn("OTEL_BSP_SCHEDULE_DELAY", SPAN_DELAY_MS, read, onProblem),
    metricIntervalMs: numberIn("OTEL_METRIC_EXPORT_INTERVAL", METRIC_INTERVAL_MS, read, onProblem),
    capturesContent: capturesContent(read(CAPTURE), onProblem),
  };
}

function destination(
  signal: "TRACES" | "METRICS",
  path: string,
  read: Environment,
  onProblem: (problem: string) => void,
): Destination | undefined {
  const own = `OTEL_EXPORTER_OTLP_${signal}`;
  const ofSignal = (name: string) => read(`${own}_${name}`) ?? read(`OTEL_EXPORTER_OTLP_${name}`);
  const exporter = read(`OTEL_${signal}_EXPORTER`) ?? "otlp";
  if (exporter === "none") return undefined;
  const refuse = (problem: string): undefined => {
    onProblem(`${problem}; ${signal.toLowerCase()} are not exported`);
  };
  if (exporter !== "otlp")
    return refuse(`OTEL_${signal}_EXPORTER is "${exporter}", and only otlp is supported`);
  const base = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const given = read(`${own}_ENDPOINT`) ?? (base === undefined ? undefined : joined(base, path));
  if (given === undefined) return undefined;
  const protocol = ofSignal("PROTOCOL");
  if (protocol === "grpc") {
    return refuse("OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and only OTLP over HTTP is supported (port 4318)");
  }
  if (!isHttpUrl(given))
    return refuse(`the OTLP endpoint ${JSON.stringify(given)} is not an http or https URL`);
  const headers = pairsIn(ofSignal("HEADERS"), () =>
    onProblem(`OTEL_EXPORTER_OTLP_HEADERS has an entry that is not name=value; it is not sent`),
  );
  const timeoutMs = numberIn(`${own}_TIMEOUT`, undefined, read, onProblem);
  return {
    url: given,
    headers,
    timeoutMs: timeoutMs ?? numberIn("OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT_MS, read, onProblem),
  };
}

function joined(base: string, path: string): string {
  return base.endsWith("/") ? `${base}${path}` : `${base}/${path}`;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function resourceOf(read: Environment, onProblem: (problem: string) => void): Record<string, string> {
  const given = pairsIn(read("OTEL_RESOURCE_ATTRIBUTES"), () =>
    onProblem("OTEL_RESOURCE_ATTRIBUTES has an entry that is not name=value; it is ignored"),
  );
  const name = read("OTEL_SERVICE_NAME");
  return { "service.name": "dragoman", ...given, ...(name === undefined ? {} : { "service.name": name }) };
}

/** `a=1,b=x%20y`, as in the W3C header `baggage`. */
function pairsIn(text: string | undefined, onBad: () => void): Record<string, string> {
  const pairs: [string, string][] = [];
  for (const item of text?.split(",") ?? []) {
    if (item.trim() === "") continue;
    const at = item.indexOf("=");
    const name = decoded(item.slice(0, Math.max(at, 0)));
    const value = decoded(item.slice(at + 1));
    if (name === undefined || name === "" || value === undefined) onBad();
    else pairs.push([name, value]);
  }
  return Object.fromEntries(pairs);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return undefined;
  }
}

function numberIn<D extends number | undefined>(
  name: string,
  standard: D,
  read: Environment,
  onProblem: (problem: string) => void,
): number | D {
  const text = read(name);
  if (text === undefined) return standard;
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  onProblem(`${name} must be a number of milliseconds, not ${JSON.stringify(text)}; it is ignored`);
  return standard;
}

function capturesContent(value: string | undefined, onProblem: (problem: string) => void): boolean {
  switch (value?.toLowerCase()) {
    case undefined:
    case "false":
    case "no_content":
      return false;
    case "true":
    case "span_only":
    case "span_and_event":
      return true;
    default:
      onProblem(`${CAPTURE} must be true or false, not ${JSON.stringify(value)}; messages are not exported`);
      return false;
  }
}
