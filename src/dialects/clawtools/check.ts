import type { Drift, JsonRecord } from "../../core/dialect.js";
import { isObject, isString } from "../../core/json/value.js";
import { driftsOf, fieldPlace } from "../../core/records/drift.js";
import { checkToolResult } from "./check-results.js";
import { callShape, resultShape, shown } from "./hints.js";
import { hasType, isImageUrl, NAME } from "./wire.js";

const { error } = driftsOf(NAME);

/** Readable messages that clawtools connectors drop, send wrongly or fail on. */
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
    case "tool": {
      const message = `a tool result has the role "toolResult"; "tool" is OpenAI's role`;
      const hint = `write ${resultShape(record["tool_call_id"], record["name"])}`;
      yield error(`${at}/role`, "openai-tool-role", message, hint);
      break;
    }
    case "system":
    case "developer": {
      const hint = "pass it to the connector separately from the messages";
      yield error(`${at}/role`, "system-role", "the system prompt is not a message", hint);
      break;
    }
    default: {
      const message = `unknown role ${JSON.stringify(record["role"])}`;
      yield error(`${at}/role`, "unknown-role", message, "use user, assistant or toolResult");
    }
  }
}

function* checkContent(record: JsonRecord, at: string): Generator<Drift> {
  const { role, content, tool_calls: calls } = record;
  const isMissing = content === undefined ? calls === undefined : content === null && role === "user";
  if (isMissing) {
    const hint = "write a string or an array of blocks";
    yield error(fieldPlace(record, "content", at), "no-content", `the ${role} message has no content`, hint);
  }
  if (!Array.isArray(content)) return;
  for (const [index, block] of content.entries()) yield* checkBlock(block, `${at}/content/${index}`);
}

function* checkBlock(block: unknown, at: string): Generator<Drift> {
  if (hasType(block, "tool_use")) {
    const message = "a tool call is a toolCall block; tool_use is Anthropic's block";
    yield error(at, "anthropic-tool-use", message, `write ${callShape(block["id"], block["name"])}`);
  } else if (hasType(block, "tool_result")) {
    const message = "a tool result is a separate message; tool_result is Anthropic's block";
    const hint = `write, as a message, ${resultShape(block["tool_use_id"], undefined, block["is_error"])}`;
    yield error(at, "anthropic-tool-result", message, hint);
  } else if (hasType(block, "image_url") && !isImageUrl(block)) {
    const hint = `write { "type": "image_url", "image_url": { "url": ${shown(block["image_url"])} } }`;
    yield error(at, "no-image-url", "the image has no URL", hint);
  } else if (hasType(block, "toolCall") && !isObject(block["arguments"])) {
    const message = "the arguments of a tool call must be an object";
    const hint = `write ${callShape(block["id"], block["name"])}`;
    yield error(fieldPlace(block, "arguments", at), "arguments-no-object", message, hint);
  } else if (!isObject(block) || !isString(block["type"])) {
    const hint = `write { "type": "text", "text": ${shown(block)} }`;
    yield error(at, "no-block", "a block must be an object with a type", hint);
  }
}

function* checkToolCalls({ tool_calls: calls }: JsonRecord, at: string): Generator<Drift> {
  if (calls === undefined) return;
  const drift = (place: string, hint: string) =>
    error(place, "openai-tool-calls", "tool calls are content blocks; tool_calls is OpenAI's field", hint);
  if (!Array.isArray(calls) || calls.length === 0) {
    const isEmpty = calls === null || Array.isArray(calls);
    const rewrite = `write each call as ${callShape("…", "…")} in content`;
    yield drift(`${at}/tool_calls`, isEmpty ? "remove tool_calls, which is empty" : rewrite);
    return;
  }
  for (const [index, call] of calls.entries()) {
    const { id, function: called } = isObject(call) ? call : {};
    const name = isObject(called) ? called["name"] : undefined;
    yield drift(`${at}/tool_calls/${index}`, `add ${callShape(id, name)} to content`);
  }
}
