import { withForm } from "../../core/api/call-form.js";
import { readOptions } from "../../core/api/option-table.js";
import type { Call } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { unattributedAnswer, undated } from "../../core/message/neutral.js";
import { deviations } from "../../core/records/deviation.js";
import { unexpected } from "../../core/records/unexpected.js";
import type {
  AgentMessage,
  AssistantContent,
  SystemMessage,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "../../core/types.js";
import { withNotes } from "./notes.js";
import { options as table } from "./options.js";
import { readPart } from "./parts.js";
import { kindOf, readItem } from "./read-items.js";
import { plainResult, request, writeOutput } from "./request.js";
import { readTools } from "./tools.js";
import { arrayAt, objectAt, stringIn } from "./wire.js";

/** The fields that can replace `input`. */
const elsewhere = ["prompt", "conversation", "previous_response_id"];

export function readRequest(value: unknown): Call {
  const body = objectAt(value, "");
  const { input, tools, ...head } = body;
  if (body["object"] === "response" || (input === undefined && !elsewhere.some((key) => key in body))) {
    throw unexpected("", `a request with an "input"`, body);
  }
  const { functions, others = [] } = tools === undefined ? {} : readTools(tools);
  const { systemPrompt, systemRole, items } = readPrompt(head["instructions"], input);
  const { model, instructions: _, stream, store, ...fields } = head;
  // We write `store: false`, so only another value needs a note.
  const isUsual = store === undefined || store === false;
  const { options, rest } = readOptions(table, isUsual ? fields : { ...fields, store });
  const extra = { ...rest, ...(others.length === 0 ? {} : { tools: others }) };
  const call: Call = {
    model: model === undefined ? "" : stringIn(head, "model", ""),
    stream: stream === true,
    context: {
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      messages: typeof items === "string" ? [readText(items)] : readItems(items),
      ...(functions === undefined ? {} : { tools: functions }),
    },
    options: { ...options, ...(Object.keys(extra).length === 0 ? {} : { extra }) },
  };
  const form = systemRole === undefined ? {} : { systemRole };
  const empty = { ...withForm(call, form), context: { ...call.context, messages: [] } };
  const { input: __, tools: ___, ...frame } = request(empty, {}, () => undefined);
  const spelling = deviations(head, frame, { inside: "all", guarded: true });
  const omit = input === undefined ? { omit: ["input"] } : {};
  return withForm(call, { ...form, ...omit, ...spelling });
}

/** Items with their index in the request. */
type Items = [number, JsonObject][];

interface Prompt {
  systemPrompt?: string;
  /** Its role, if it was an item. */
  systemRole?: "system" | "developer";
  items: string | Items;
}

/** The system prompt: the instructions or, without them, a plain system message at the start. */
function readPrompt(instructions: unknown, input: unknown): Prompt {
  const items = typeof input === "string" ? input : readArray(input);
  if (typeof instructions === "string") return { systemPrompt: instructions, items };
  if (typeof items === "string") return { items };
  const [first, ...rest] = items;
  const { role, content, ...others } = first?.[1] ?? {};
  const isPrompt = (role === "system" || role === "developer") && typeof content === "string";
  if (!isPrompt || Object.keys(others).length > 0) return { items };
  return { systemPrompt: content, systemRole: role, items: rest };
}

function readArray(input: unknown): Items {
  if (input === undefined) return [];
  return arrayAt(input, "/input").map((item, index) => [index, objectAt(item, `/input/${index}`)]);
}

function readText(text: string): UserMessage {
  return withNotes({ role: "user", content: text, ...undated() }, { form: "input" });
}

/** Consecutive items from a model are one answer. */
function readItems(items: Items): AgentMessage[] {
  const messages: AgentMessage[] = [];
  const names = new Map<string, string>();
  let answer: AssistantContent[] = [];
  const close = () => {
    if (answer.length > 0) messages.push(unattributedAnswer(answer));
    answer = [];
  };
  for (const [index, item] of items) {
    const at = `/input/${index}`;
    const given = readGiven(item, at, names);
    if (given !== undefined) {
      close();
      messages.push(given);
      continue;
    }
    const blocks = readItem(item, at);
    for (const block of blocks) if (block.type === "toolCall") names.set(block.id, block.name);
    answer.push(...blocks);
  }
  close();
  return messages;
}

/** A message or tool result for the model; undefined for the model's own items. */
function readGiven(
  item: JsonObject,
  at: string,
  names: ReadonlyMap<string, string>,
): AgentMessage | undefined {
  const kind = kindOf(item);
  const { role } = item;
  if (kind === "function_call_output") return readResult(item, at, names);
  if (kind !== "message") return undefined;
  if (role === "user") return readUser(item, at);
  return role === "system" || role === "developer" ? readSystem(item, role, at) : undefined;
}

function readUser(item: JsonObject, at: string): UserMessage {
  const { content, ...head } = item;
  const message: UserMessage = { role: "user", content: readContent(content, at), ...undated() };
  return withNotes(message, { item: deviations(head, { role: "user" }) });
}

/** A text with additional fields becomes a block, so that it is not mistaken for the system prompt. */
function readSystem(item: JsonObject, role: "system" | "developer", at: string): SystemMessage {
  const { content, ...head } = item;
  const unusual = deviations(head, { role });
  const read = readContent(content, at);
  const asBlock = typeof read === "string" && unusual !== undefined;
  const message: SystemMessage = {
    role: "system",
    content: asBlock ? [{ type: "text", text: read }] : read,
    ...undated(),
  };
  return withNotes(message, {
    role: role === "developer" ? role : undefined,
    form: asBlock ? "string" : undefined,
    item: unusual,
  });
}

function readContent(content: unknown, at: string): string | UserContent[] {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) throw unexpected(`${at}/content`, "a string or an array", content);
  return readParts(content, `${at}/content`);
}

function readParts(parts: readonly unknown[], at: string): UserContent[] {
  return parts.map((part, index) => readPart(part, `${at}/${index}`));
}

function readResult(item: JsonObject, at: string, names: ReadonlyMap<string, string>): ToolResultMessage {
  const { output, ...head } = item;
  const toolCallId = stringIn(item, "call_id", at);
  const content = readOutput(output, `${at}/output`);
  const toolName = names.get(toolCallId);
  const message: ToolResultMessage = {
    role: "toolResult",
    toolCallId,
    toolName: toolName ?? "",
    content,
    isError: false,
    timestamp: 0,
    ext: { synthesised: [...(toolName === undefined ? ["/toolName"] : []), "/isError", "/timestamp"] },
  };
  const form = typeof output !== "string" && typeof writeOutput(content) === "string" ? "parts" : undefined;
  return withNotes(message, { form, item: deviations(head, plainResult(toolCallId)) });
}

function readOutput(output: unknown, at: string): UserContent[] {
  if (output === "") return [];
  if (typeof output === "string") return [{ type: "text", text: output }];
  if (!Array.isArray(output)) throw unexpected(at, "a string or an array", output);
  return readParts(output, at);
}
