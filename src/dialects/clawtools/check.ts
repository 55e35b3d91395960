import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject } from "../../core/json/value.js";
import { checkToolResult } from "./check-results.js";
import { callShape, resultShape, shown } from "./shapes.js";
import { hasType, isImageUrl, isString } from "./wire.js";

/** Messages that can be read, but that the connectors of clawtools drop, send wrongly or choke on. */
export function check(unit: readonly JsonRecord[]): Drift[] {
  return unit.flatMap((record, index) => [...checkMessage(record, `/${index}`)]);
}

function* checkMessage(record: JsonRecord, at: string): Generator<Drift> {
  switch (record["role"]) {
    case "user":
      yield* checkContent(record, at);
      break;
    case "assistant":
      yield* checkContent(record, at);
      yield* checkToolCalls(record, at);
      break;
    case "toolResult":
      yield* checkToolResult(record, at);
      break;
    case "tool":
      yield {
        at: `${at}/role`,
        code: "clawtools/openai-tool-role",
        message: 'a tool result has the role "toolResult"; "tool" is the role of OpenAI',
        hint: `write ${resultShape(record["tool_call_id"], record["name"])}`,
        severity: "error",
      };
      break;
    case "system":
    case "developer":
      yield {
        at: `${at}/role`,
        code: "clawtools/system-role",
        message: "the system prompt is not a message",
        hint: "pass it to the connector beside the messages",
        severity: "error",
      };
      break;
    default:
      yield {
        at: `${at}/role`,
        code: "clawtools/unknown-role",
        message: `there is no role ${JSON.stringify(record["role"])}`,
        hint: "write user, assistant or toolResult, whichever said it",
        severity: "error",
      };
  }
}

function* checkContent({ role, content, tool_calls: calls }: JsonRecord, at: string): Generator<Drift> {
  const isMissing = content === undefined ? calls === undefined : content === null && role === "user";
  if (isMissing) {
    yield {
      at: content === undefined ? at : `${at}/content`,
      code: "clawtools/no-content",
      message: `the ${role} message has no content`,
      hint: "write a string or an array of blocks",
      severity: "error",
    };
  }
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) yield* checkBlock(block, `${at}/content/${index}`);
}

function* checkBlock(block: unknown, at: string): Generator<Drift> {
  if (hasType(block, "tool_use")) {
    yield {
      at,
      code: "clawtools/anthropic-tool-use",
      message: "a tool call is a toolCall block; tool_use is the block of Anthropic",
      hint: `write ${callShape(block["id"], block["name"])}`,
      severity: "error",
    };
  } else if (hasType(block, "tool_result")) {
    yield {
      at,
      code: "clawtools/anthropic-tool-result",
      message: "a tool result is a message of its own; tool_result is the block of Anthropic",
      hint: `write, as a message, ${resultShape(block["tool_use_id"], undefined, block["is_error"])}`,
      severity: "error",
    };
  } else if (hasType(block, "image_url") && !isImageUrl(block)) {
    yield {
      at,
      code: "clawtools/no-image-url",
      message: "the image has no URL",
      hint: `write { "type": "image_url", "image_url": { "url": ${shown(block["image_url"])} } }`,
      severity: "error",
    };
  } else if (hasType(block, "toolCall") && !isObject(block["arguments"])) {
    yield {
      at: block["arguments"] === undefined ? at : `${at}/arguments`,
      code: "clawtools/arguments-no-object",
      message: "the arguments of a tool call are an object",
      hint: `write ${callShape(block["id"], block["name"])}`,
      severity: "error",
    };
  } else if (!isObject(block) || !isString(block["type"])) {
    yield {
      at,
      code: "clawtools/no-block",
      message: "a block is an object with a type",
      hint: `write { "type": "text", "text": ${shown(block)} }`,
      severity: "error",
    };
  }
}

function* checkToolCalls({ tool_calls: calls }: JsonRecord, at: string): Generator<Drift> {
  if (calls === undefined) return;
  const drift = {
    code: "clawtools/openai-tool-calls",
    message: "tool calls are blocks of the content; tool_calls is the field of OpenAI",
    severity: "error",
  } as const;
  if (!Array.isArray(calls) || calls.length === 0) {
    const isEmpty = calls === null || Array.isArray(calls);
    const hint = isEmpty
      ? "remove tool_calls, which is empty"
      : `write each call as ${callShape("…", "…")} in content`;
    yield { at: `${at}/tool_calls`, ...drift, hint };
    return;
  }
  for (const [index, call] of calls.entries()) {
    const { id, function: called } = isObject(call) ? call : {};
    const name = isObject(called) ? called["name"] : undefined;
    yield { at: `${at}/tool_calls/${index}`, ...drift, hint: `add ${callShape(id, name)} to content` };
  }
}
