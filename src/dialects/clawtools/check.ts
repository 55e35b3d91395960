import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { driftsOf } from "../../core/records/drift.js";
import { checkToolResult } from "./check-results.js";
import { callShape, resultShape, shown } from "./hints.js";
import { hasType, isImageUrl, NAME } from "./wire.js";

const { error } = driftsOf(NAME);

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
      yield error(
        `${at}/role`,
        "openai-tool-role",
        'a tool result has the role "toolResult"; "tool" is the role of OpenAI',
        `write ${resultShape(record["tool_call_id"], record["name"])}`,
      );
      break;
    case "system":
    case "developer":
      yield error(
        `${at}/role`,
        "system-role",
        "the system prompt is not a message",
        "pass it to the connector separately from the messages",
      );
      break;
    default:
      yield error(
        `${at}/role`,
        "unknown-role",
        `unknown role ${JSON.stringify(record["role"])}`,
        "use user, assistant or toolResult",
      );
  }
}

function* checkContent({ role, content, tool_calls: calls }: JsonRecord, at: string): Generator<Drift> {
  const isMissing = content === undefined ? calls === undefined : content === null && role === "user";
  if (isMissing) {
    yield error(
      content === undefined ? at : `${at}/content`,
      "no-content",
      `the ${role} message has no content`,
      "write a string or an array of blocks",
    );
  }
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) yield* checkBlock(block, `${at}/content/${index}`);
}

function* checkBlock(block: unknown, at: string): Generator<Drift> {
  if (hasType(block, "tool_use")) {
    yield error(
      at,
      "anthropic-tool-use",
      "a tool call is a toolCall block; tool_use is Anthropic's block",
      `write ${callShape(block["id"], block["name"])}`,
    );
  } else if (hasType(block, "tool_result")) {
    yield error(
      at,
      "anthropic-tool-result",
      "a tool result is a separate message; tool_result is Anthropic's block",
      `write, as a message, ${resultShape(block["tool_use_id"], undefined, block["is_error"])}`,
    );
  } else if (hasType(block, "image_url") && !isImageUrl(block)) {
    yield error(
      at,
      "no-image-url",
      "the image has no URL",
      `write { "type": "image_url", "image_url": { "url": ${shown(block["image_url"])} } }`,
    );
  } else if (hasType(block, "toolCall") && !isObject(block["arguments"])) {
    yield error(
      block["arguments"] === undefined ? at : `${at}/arguments`,
      "arguments-no-object",
      "the arguments of a tool call must be an object",
      `write ${callShape(block["id"], block["name"])}`,
    );
  } else if (!isObject(block) || !isString(block["type"])) {
    yield error(
      at,
      "no-block",
      "a block must be an object with a type",
      `write { "type": "text", "text": ${shown(block)} }`,
    );
  }
}

function* checkToolCalls({ tool_calls: calls }: JsonRecord, at: string): Generator<Drift> {
  if (calls === undefined) return;
  const drift = (place: string, hint: string) =>
    error(place, "openai-tool-calls", "tool calls are content blocks; tool_calls is OpenAI's field", hint);
  if (!Array.isArray(calls) || calls.length === 0) {
    const isEmpty = calls === null || Array.isArray(calls);
    const hint = isEmpty
      ? "remove tool_calls, which is empty"
      : `write each call as ${callShape("…", "…")} in content`;
    yield drift(`${at}/tool_calls`, hint);
    return;
  }
  for (const [index, call] of calls.entries()) {
    const { id, function: called } = isObject(call) ? call : {};
    const name = isObject(called) ? called["name"] : undefined;
    yield drift(`${at}/tool_calls/${index}`, `add ${callShape(id, name)} to content`);
  }
}
