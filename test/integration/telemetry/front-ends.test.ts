import { expect, test } from "vitest";
import { openTelemetry } from "../../../src/runtime/open-telemetry.js";
import { frontGateway } from "../../e2e/front-ends/front-gateway.js";
import { protocolStreams } from "../../e2e/front-ends/protocol-streams.js";
import { OtlpCollector } from "../../fakes/otlp-collector.js";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

test.each(protocolStreams)("$name: a run continues the client's trace, without its text", async (stream) => {
  const collector = await new OtlpCollector().start();
  const env: Record<string, string> = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const telemetry = await openTelemetry(() => undefined, { env: (name) => env[name] });
  const gateway = await frontGateway({ telemetry });
  const response = await gateway.fetch(stream.path, {
    method: "POST",
    token: gateway.chat,
    headers: {
      "content-type": "application/json",
      "a2a-version": "1.0",
      traceparent: `00-${TRACE}-b7ad6b7169203331-01`,
      tracestate: "congo=t61rcWkgMzE",
    },
    body: JSON.stringify(stream.body("s1", "apricot")),
  });
  expect(await response.text()).toMatch(stream.ends.done);
  await gateway.stop();
  expect(collector.span("invoke_agent main")).toMatchObject({
    traceId: TRACE,
    parentSpanId: "b7ad6b7169203331",
    traceState: "congo=t61rcWkgMzE",
  });
  expect(collector.span("chat echo").traceId).toBe(TRACE);
  expect(collector.refused).toEqual([]);
  expect(collector.requests.map(({ body }) => body).join("")).not.toContain("apricot");
});
