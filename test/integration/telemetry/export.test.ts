import { expect, onTestFinished, test } from "vitest";
import { openTelemetry } from "../../../src/runtime/open-telemetry.js";
import { Runtime } from "../../../src/runtime/runtime.js";
import type { Telemetry } from "../../../src/telemetry/telemetry.js";
import { testGateway } from "../../fakes/gateway.js";
import { OtlpCollector } from "../../fakes/otlp-collector.js";
import { readAttributes } from "../../fakes/otlp-rules.js";
import { user } from "../../fakes/watching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

interface Opened {
  telemetry: Telemetry;
  notes: string[];
}

async function open(env: Record<string, string>): Promise<Opened> {
  const notes: string[] = [];
  const telemetry = await openTelemetry((note) => notes.push(note), { env: (name) => env[name] });
  if (telemetry === undefined) throw new Error("telemetry is off");
  onTestFinished(() => telemetry.close());
  return { telemetry, notes };
}

async function say(telemetry: Telemetry): Promise<Runtime> {
  const runtime = new Runtime({ home: temporaryFolder(), config: { model: "demo/echo" }, telemetry });
  const conversation = await runtime.begin({});
  await conversation.send(user("one two three"));
  await conversation.idle();
  return runtime;
}

/** Sends spans at once. */
const NOW = { OTEL_BSP_SCHEDULE_DELAY: "1" };

test("without an endpoint, or if it is disabled, there is no telemetry", async () => {
  const on = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, { ...on, OTEL_SDK_DISABLED: "true" }]) {
    const all: Record<string, string> = env;
    expect(await openTelemetry(() => undefined, { env: (name) => all[name] })).toBeUndefined();
  }
});

test("the histograms have the buckets of the conventions, and one value per call and kind of token", async () => {
  const collector = await new OtlpCollector().start();
  const { telemetry } = await open({ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics` });
  await (await say(telemetry)).close();
  expect(collector.refused).toEqual([]);
  expect(collector.spans).toEqual([]);
  const found = collector.metrics.map(({ name, unit, histogram }) => ({ name, unit, histogram }));
  const labels = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "demo",
    "gen_ai.request.model": "echo",
  };
  const [usage, duration] = found as { histogram: { dataPoints: Record<string, unknown>[] } }[];
  expect(found).toMatchObject([
    { name: "gen_ai.client.token.usage", unit: "{token}" },
    { name: "gen_ai.client.operation.duration", unit: "s" },
  ]);
  const points = usage?.histogram.dataPoints ?? [];
  expect(points.map((point) => ({ ...readAttributes(point["attributes"]), count: point["count"] }))).toEqual([
    { ...labels, "gen_ai.token.type": "input", count: "1" },
    { ...labels, "gen_ai.token.type": "output", count: "1" },
  ]);
  expect(points[1]).toMatchObject({
    sum: 3,
    bucketCounts: ["0", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"],
    explicitBounds: [
      1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
    ],
  });
  expect(duration?.histogram.dataPoints[0]).toMatchObject({
    count: "1",
    explicitBounds: [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92],
  });
});

test("a collector gets its headers, and the resource that the environment describes", async () => {
  const collector = await new OtlpCollector().start();
  const { telemetry } = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=ops,authorization=Basic%20c2VjcmV0",
    OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-team=numbers",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test,service.name=other",
    OTEL_SERVICE_NAME: "helpdesk",
  });
  await (await say(telemetry)).close();
  const headersOf = (path: string) => collector.requests.find((request) => request.path === path)?.headers;
  expect(headersOf("/v1/traces")).toMatchObject({ "x-team": "ops", authorization: "Basic c2VjcmV0" });
  expect(headersOf("/v1/metrics")).toMatchObject({ "x-team": "numbers" });
  expect(headersOf("/v1/metrics")).not.toHaveProperty("authorization");
  expect(readAttributes(collector.resources[0]?.["attributes"])).toEqual({
    "service.version": expect.stringMatching(/^\d+\.\d+\.\d+/),
    "service.name": "helpdesk",
    "deployment.environment.name": "test",
  });
  expect(collector.requests.map(({ body }) => body).join("")).not.toContain("c2VjcmV0");
});

test("a busy collector gets the same spans again, after the time that it asks for", async () => {
  const collector = await new OtlpCollector().start();
  collector.answers.push(
    { status: 429, headers: { "retry-after": "0" } },
    { status: 503, headers: { "retry-after": "0.01" } },
  );
  const { telemetry, notes } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    ...NOW,
  });
  const runtime = await say(telemetry);
  await collector.until(({ spans }) => spans.length === 2);
  await runtime.close();
  expect(collector.spans.map(({ name }) => name).sort()).toEqual(["chat echo", "invoke_agent main"]);
  expect({ dropped: telemetry.droppedSpans, notes }).toEqual({ dropped: 0, notes: [] });
});

test("what a collector refuses is not sent again, is counted, and is reported once", async () => {
  const collector = await new OtlpCollector().start();
  collector.answers.push({ status: 500 }, { status: 400 });
  const { telemetry, notes } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
    ...NOW,
  });
  const runtime = await say(telemetry);
  await collector.until(({ requests }) => requests.length >= 1);
  await runtime.close();
  expect(telemetry.droppedSpans).toBe(2);
  expect(notes).toHaveLength(1);
  expect(notes[0]).toMatch(/^OpenTelemetry: spans cannot be exported and are dropped: HTTP 500/);
});

test("spans that a collector rejects of a batch are counted", async () => {
  const collector = await new OtlpCollector().start();
  collector.answers.push({
    status: 200,
    body: { partialSuccess: { rejectedSpans: "1", errorMessage: "too old" } },
  });
  const { telemetry, notes } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
  });
  await (await say(telemetry)).close();
  expect(telemetry.droppedSpans).toBe(1);
  expect(notes).toEqual(["OpenTelemetry: the collector refused 1 of 2 spans"]);
});

test("a collector that does not answer delays neither runs nor the end for long, and /metrics counts what is lost", async () => {
  const collector = await new OtlpCollector().start();
  const { url } = collector;
  await collector.stop();
  const { telemetry, notes } = await open({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/v1/traces` });
  const gateway = await testGateway([], { telemetry });
  const conversation = await gateway.runtime.begin({});
  await conversation.send(user("hello"));
  await conversation.idle();
  expect(await (await gateway.fetch("/metrics")).text()).toContain(
    "dragoman_telemetry_dropped_spans_total 0",
  );
  const before = Date.now();
  await telemetry.close();
  expect(Date.now() - before).toBeLessThan(4_000);
  expect(await (await gateway.fetch("/metrics")).text()).toContain(
    "dragoman_telemetry_dropped_spans_total 2",
  );
  expect(notes[0]).toMatch(
    /^OpenTelemetry: spans cannot be exported and are dropped: the collector cannot be reached: .*ECONNREFUSED/,
  );
});

test("waiting spans are bounded", async () => {
  const { telemetry } = await open({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:9/v1/traces",
    OTEL_BSP_SCHEDULE_DELAY: "3600000",
  });
  const observer = telemetry.observer(() => ({ parent: undefined }));
  const model = { provider: "demo", id: "echo" };
  // Nothing is sent before this task ends.
  for (let count = 0; count < 3_000; count++) observer.begin("chat", model).end();
  expect(telemetry.droppedSpans).toBe(3_000 - 2_048);
});

test.each([
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4317" },
    'OpenTelemetry: the OTLP endpoint "localhost:4317/v1/traces" is not an http or https URL; traces are not exported',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4317", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
    "OpenTelemetry: OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and only OTLP over HTTP is supported (port 4318); traces are not exported",
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318", OTEL_TRACES_EXPORTER: "console" },
    'OpenTelemetry: OTEL_TRACES_EXPORTER is "console", and only otlp is supported; traces are not exported',
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "maybe",
    },
    'OpenTelemetry: OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT must be true or false, not "maybe"; messages are not exported',
  ],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://localhost:4318", OTEL_BSP_SCHEDULE_DELAY: "soon" },
    'OpenTelemetry: OTEL_BSP_SCHEDULE_DELAY must be a number of milliseconds, not "soon"; it is ignored',
  ],
])("%j is reported", async (env, note) => {
  const { notes } = await open(env);
  expect(notes).toContain(note);
});
