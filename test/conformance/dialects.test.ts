import { expect, test } from "vitest";
import { dialects } from "../../src/convert/dialects.js";
import { type DialectName, registry } from "../../src/dialects/registry.js";
import { dialectLaws } from "./dialect-laws.js";
import { writeOnlyLaws } from "./write-only-laws.js";

// One dialect at a time while working on it: DIALECT=cline npx vitest run test/conformance/dialects.test.ts
const only = process.env["DIALECT"];

const readable = new Set((await dialects()).filter(({ reads }) => reads).map(({ name }) => name));

for (const name of Object.keys(registry) as DialectName[]) {
  if (only !== undefined && only !== name) continue;
  if (readable.has(name)) dialectLaws(name);
  else writeOnlyLaws(name);
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
    "codex",
    "opencode",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
    "cursor",
    "ai-sdk-ui",
    "ai-sdk",
    "chatgpt",
    "claude-ai",
    "open-webui",
    "atif",
    "otel",
    "openai-finetune",
    "markdown",
    "html",
    "anthropic",
    "openai-chat",
    "openai-responses",
    "google",
    "ollama",
    "bedrock",
  ]);
});

test("these dialects are only written", () => {
  expect(Object.keys(registry).filter((name) => !readable.has(name))).toEqual([
    "openai-finetune",
    "markdown",
    "html",
  ]);
});
