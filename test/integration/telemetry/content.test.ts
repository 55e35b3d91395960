import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { openTelemetry } from "../../../src/runtime/open-telemetry.js";
import { Runtime } from "../../../src/runtime/runtime.js";
import { OtlpCollector } from "../../fakes/otlp-collector.js";
import { user } from "../../fakes/watching.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

function schema(name: string) {
  const path = new URL(`../../../conformance/otel/schema/gen-ai-${name}.json`, import.meta.url);
  return new Ajv({ strict: false, formats: { binary: true } }).compile(
    JSON.parse(readFileSync(path, "utf8")),
  );
}

const lists: Record<string, ReturnType<typeof schema>> = {
  "gen_ai.system_instructions": schema("system-instructions"),
  "gen_ai.input.messages": schema("input-messages"),
  "gen_ai.output.messages": schema("output-messages"),
  "gen_ai.tool.definitions": schema("tool-definitions"),
};

test("with content, the schemas of the conventions accept every list, and tools have arguments and results", async () => {
  const collector = await new OtlpCollector().start();
  const env: Record<string, string> = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "span_only",
  };
  const telemetry = await openTelemetry(() => undefined, { env: (name) => env[name] });
  const runtime = new Runtime({
    home: temporaryFolder(),
    config: {
      model: "demo/script",
      agents: { main: { systemPrompt: "Be brief.", permissions: [{ tool: "*", action: "allow" }] } },
    },
    telemetry,
  });
  const conversation = await runtime.begin({});
  await conversation.send(user('think: hm\ncall: exec {"command":"echo quince"}\n---\nsay: Done'));
  await conversation.idle();
  await runtime.close();
  expect(collector.refused).toEqual([]);
  const judged: Record<string, number> = {};
  for (const { attributes } of collector.spans) {
    for (const [key, validate] of Object.entries(lists)) {
      const text = attributes[key];
      if (typeof text !== "string") continue;
      expect(validate(JSON.parse(text)), `${key}: ${JSON.stringify(validate.errors)}`).toBe(true);
      judged[key] = (judged[key] ?? 0) + 1;
    }
  }
  expect(judged).toEqual({
    "gen_ai.system_instructions": 3,
    "gen_ai.input.messages": 3,
    "gen_ai.output.messages": 3,
    "gen_ai.tool.definitions": 2,
  });
  const { attributes } = collector.span("execute_tool exec");
  expect(attributes["gen_ai.tool.call.arguments"]).toBe('{"command":"echo quince"}');
  expect(attributes["gen_ai.tool.call.result"]).toContain("quince");
  const run = collector.span("invoke_agent main");
  expect(run.attributes["gen_ai.system_instructions"]).toBe('[{"type":"text","content":"Be brief."}]');
  expect(run.attributes["gen_ai.output.messages"]).toBe(
    '[{"role":"assistant","parts":[{"type":"text","content":"Done"}],"finish_reason":"stop"}]',
  );
});
