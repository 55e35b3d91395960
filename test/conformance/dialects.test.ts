import { expect, test } from "vitest";
import { type DialectName, registry } from "../../src/dialects/registry.js";
import { dialectLaws } from "./dialect-laws.js";

// One dialect at a time while working on it: DIALECT=cline npx vitest run test/conformance/dialects.test.ts
const only = process.env["DIALECT"];

for (const name of Object.keys(registry) as DialectName[]) {
  if (only === undefined || only === name) dialectLaws(name);
}

test("the registry has these dialects", () => {
  expect(Object.keys(registry)).toEqual([
    "openclaw",
    "openclaw-turns",
    "pi",
    "cline",
    "clawtools",
    "timbal",
    "claude-code",
    "opencode",
    "copilot-cli",
    "cursor",
    "ai-sdk-ui",
    "ai-sdk",
    "chatgpt",
    "claude-ai",
    "open-webui",
    "codex",
    "gemini-cli",
    "qwen-code",
    "anthropic",
    "openai-chat",
    "openai-responses",
    "google",
    "ollama",
    "bedrock",
  ]);
});
