import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { registry } from "../src/dialects/registry.js";

/** The names a module of the built package exports, as a user's program sees them. */
function namesOf(module: string): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(module)})).sort()))`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" }),
  );
}

const expected: Record<string, string[]> = {
  dragoman: [
    "DragomanError",
    "ERROR_CODES",
    "MessageReducer",
    "check",
    "collect",
    "convert",
    "detect",
    "dialects",
    "emptyUsage",
    "events",
    "idSource",
    "is",
    "liveEvents",
    "mismatches",
    "newId",
    "parse",
    "priced",
    "reduce",
    "repair",
    "sumUsage",
  ],
  "dragoman/core": [
    "DragomanError",
    "ERROR_CODES",
    "MessageReducer",
    "collect",
    "emptyUsage",
    "events",
    "idSource",
    "is",
    "liveEvents",
    "mismatches",
    "newId",
    "parse",
    "priced",
    "reduce",
    "sumUsage",
  ],
  "dragoman/schema": [
    "AgentCompleteMessage",
    "AgentEvent",
    "AgentMessage",
    "AgentMessageMessage",
    "AssistantContent",
    "AssistantMessage",
    "AssistantMessageEvent",
    "AudioContent",
    "CompactionMessage",
    "Conversation",
    "CustomMessage",
    "ErrorMessage",
    "FileContent",
    "ImageContent",
    "Loss",
    "OpaqueContent",
    "OpenClawMessage",
    "ReplyPayload",
    "SessionMessage",
    "StatusMessage",
    "StopReason",
    "SystemMessage",
    "TextContent",
    "ThinkingContent",
    "ToolCall",
    "ToolResultMessage",
    "Usage",
    "UserContent",
    "UserMessage",
    "allSchemas",
    "messageSchemas",
  ],
  "dragoman/framing": [
    "IncrementalJson",
    "LineSplitter",
    "MAX_EVENT_LENGTH",
    "MAX_LINE_BYTES",
    "NdjsonReader",
    "SseReader",
    "decodeLine",
    "formatComment",
    "formatLine",
    "formatSse",
    "parseJson",
    "readLines",
    "readNdjson",
    "readSse",
  ],
  "dragoman/convert": [
    "check",
    "checkStream",
    "convert",
    "convertStream",
    "detect",
    "dialects",
    "loadDialect",
    "providers",
    "repair",
  ],
  "dragoman/log": [
    "MemoryLog",
    "agentOf",
    "canonicalKey",
    "closeOpenCalls",
    "openHome",
    "peerOf",
    "sessionKey",
  ],
  "dragoman/providers": ["connect", "extendCatalogue", "registerConnector"],
  "dragoman/agent": [
    "MessageQueue",
    "closingResults",
    "compact",
    "contextOf",
    "contextTokens",
    "permissionHook",
    "run",
    "shouldCompact",
    "subAgentTool",
  ],
  "dragoman/tools": ["builtinTools", "withoutSecrets"],
  "dragoman/runtime": ["Conversation", "Runtime", "configPath", "homeFolder", "readConfig"],
  "dragoman/client": ["connectDragoman"],
  "dragoman/dialects/openclaw": ["openclaw"],
  "dragoman/dialects/openclaw-turns": ["openclawTurns"],
  "dragoman/dialects/pi": ["pi"],
  "dragoman/dialects/cline": ["cline", "clineFileName"],
  "dragoman/dialects/clawtools": ["clawtools"],
  "dragoman/dialects/timbal": ["TimbalAnswer", "TimbalReceiver", "TimbalSender", "timbal"],
  "dragoman/dialects/anthropic": ["anthropic", "anthropicApi"],
  "dragoman/dialects/openai-chat": ["openaiChat", "openaiChatApi"],
  "dragoman/dialects/openai-responses": ["openaiResponses", "openaiResponsesApi"],
  "dragoman/dialects/google": ["google", "googleApi"],
  "dragoman/dialects/ollama": ["ollama", "ollamaApi"],
};

test.each(Object.entries(expected))("%s exports these names", (module, names) => {
  expect(namesOf(module)).toEqual(names);
});

test("every subpath of the package is pinned here", () => {
  const manifest: { exports: Record<string, unknown> } = JSON.parse(readFileSync("package.json", "utf8"));
  const paths = Object.keys(manifest.exports).filter((path) => !/^\.\/(schemas|package)/.test(path));
  const pinned = paths.flatMap((path) =>
    path.endsWith("*") ? Object.keys(registry).map((name) => path.replace("*", name)) : [path],
  );
  expect(pinned.map((path) => path.replace(/^\./, "dragoman")).sort()).toEqual(Object.keys(expected).sort());
});
