import { mergeFields, optionContainers, reportUnstated, writeOptions } from "../../core/api/option-table.js";
import type { Call, CallOptions, Flags } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { isSynthesised } from "../../core/message/neutral.js";
import { restore } from "../../core/records/deviation.js";
import type {
  AgentMessage,
  AssistantMessage,
  Loss,
  SystemMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { ItemIds } from "./item-ids.js";
import { itemsOf } from "./items.js";
import { notesOf } from "./notes.js";
import { options as table } from "./options.js";
import { writePart } from "./parts.js";
import { writeTools } from "./tools.js";
import type { RequestHead } from "./wire.js";

const containers = optionContainers(table);

type Report = (loss: Loss) => void;

export function request(call: Call, flags: Flags, onLoss: Report): JsonObject {
  const { model, context, options, stream } = call;
  const { tools: otherTools, ...extra } = options.extra ?? {};
  const losses: Loss[] = [];
  const writing = { call, flags, report: (loss: Loss) => losses.push(loss) };
  const tools = writeTools(context.tools, otherTools, flags);
  const instructions = promptRole(options, flags) === undefined ? context.systemPrompt : undefined;
  const head: RequestHead = {
    model,
    ...(instructions === undefined ? {} : { instructions }),
    ...(flags.store === false ? {} : { store: false }),
    ...(stream ? { stream } : {}),
  };
  const body = {
    ...head,
    ...writeOptions(table, writing),
    input: writeInput(call, flags, onLoss),
    ...(tools === undefined ? {} : { tools }),
  };
  const omitted = restore(mergeFields(body, extra, containers), { absent: options.form?.["omit"] });
  const written = restore(omitted, options.form);
  reportUnstated(table, { ...writing, report: onLoss }, written, losses);
  return written;
}

/** The system prompt's role if it is an item instead of `instructions`. */
function promptRole({ form }: CallOptions, flags: Flags): "system" | "developer" | undefined {
  const role = form?.["systemRole"];
  return role === "system" || role === "developer" ? role : flags.systemRole;
}

function writeInput({ context, options }: Call, flags: Flags, report: Report): string | JsonObject[] {
  const role = promptRole(options, flags);
  const prompt =
    role === undefined || context.systemPrompt === undefined ? [] : [{ role, content: context.systemPrompt }];
  const ids = new ItemIds();
  const items = context.messages.flatMap((message, index) => writeMessage(message, index, ids, report));
  const [only, ...others] = context.messages;
  const isText =
    only?.role === "user" && typeof only.content === "string" && notesOf(only)["form"] === "input";
  return isText && others.length === 0 && prompt.length === 0 ? only.content : [...prompt, ...items];
}

function writeMessage(message: AgentMessage, index: number, ids: ItemIds, report: Report): JsonObject[] {
  switch (message.role) {
    case "user":
      return [writeGiven(message, "user")];
    case "system":
      return [writeGiven(message, notesOf(message)["role"] === "developer" ? "developer" : "system")];
    case "toolResult":
      if (message.isError) {
        report({
          at: `/messages/${index}/isError`,
          what: "the result's error flag",
          why: "this API has no error flag for results",
          severity: "dropped",
        });
      }
      return [writeResult(message)];
    case "assistant":
      // Read from a request of this API, which accepted its ids and its last thinking.
      if (isSynthesised(message, "/model")) return itemsOf(message, {});
      return itemsOf(withoutFinalThinking(message, index, report), {
        acceptsId: (id, prefix, block) =>
          ids.accept(id, prefix, `/messages/${index}/content/${block}`, report),
      });
    default:
      return [];
  }
}

/** Removes thinking at the end: the API refuses reasoning without a following item. */
function withoutFinalThinking(message: AssistantMessage, index: number, report: Report): AssistantMessage {
  const { content } = message;
  const last = content.findLastIndex(({ type }) => type !== "thinking");
  if (last === content.length - 1) return message;
  report({
    at: `/messages/${index}/content/${last + 1}`,
    what: "thinking",
    why: "this API rejects reasoning without a following item",
    severity: "dropped",
  });
  return { ...message, content: content.slice(0, last + 1) };
}

function writeGiven(message: UserMessage | SystemMessage, role: "user" | "system" | "developer"): JsonObject {
  const own = notesOf(message);
  return {
    ...restore({ role }, own["item"]),
    content: writeContent(message.content, own["form"] === "string"),
  };
}

function writeContent(content: string | readonly UserContent[], asText: boolean): unknown {
  if (typeof content === "string") return content;
  const [first] = content;
  if (asText && content.length === 1 && first?.type === "text") return first.text;
  return writeParts(content);
}

function writeParts(content: readonly UserContent[]): JsonObject[] {
  return content.map(writePart).filter((part) => part !== undefined);
}

function writeResult(message: ToolResultMessage): JsonObject {
  const { form, item } = notesOf(message);
  const output = form === "parts" ? writeParts(message.content) : writeOutput(message.content);
  return { ...restore(plainResult(message.toolCallId), item), output };
}

export function plainResult(callId: string): JsonObject {
  return { type: "function_call_output", call_id: callId };
}

/** A single text as a string, other content as parts. No content is an empty text, because the API refuses an empty list. */
export function writeOutput(content: readonly UserContent[]): string | JsonObject[] {
  const [first, ...others] = content;
  if (first === undefined) return "";
  const isText = first.type === "text" && others.length === 0 && first.text !== "";
  return isText && Object.keys(notesOf(first)).length === 0 ? first.text : writeParts(content);
}
