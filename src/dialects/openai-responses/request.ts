import { effortOf } from "../../core/api/effort.js";
import type { Call, CallOptions, Flags, Thinking } from "../../core/api/provider.js";
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
import { writePart } from "./parts.js";
import { writeTools } from "./tools.js";
import type { ReasoningOptions, RequestHead, ToolChoice } from "./wire.js";

/** The API refuses to be limited to less. */
const LEAST_TOKENS = 16;

type Report = (loss: Loss) => void;

export function request(call: Call, flags: Flags, onLoss: Report): JsonObject {
  const { context, options } = call;
  const { tools: otherTools, ...extra } = options.extra ?? {};
  reportOptions(options, onLoss);
  const tools = writeTools(context.tools, otherTools, flags);
  const body = { ...requestHead(call, flags), input: writeInput(call, flags, onLoss) };
  return restore(tools === undefined ? body : { ...body, tools }, {
    fields: extra,
    absent: options.form?.["omit"],
  });
}

/** What we write of our own accord, beside the conversation and the tools. */
export function requestHead({ model, context, options, stream }: Call, flags: Flags): RequestHead {
  const { systemPrompt } = context;
  const { maxTokens, temperature, thinking, toolChoice } = options;
  const instructions = promptRole(options, flags) === undefined ? systemPrompt : undefined;
  const thinks = thinking !== undefined && thinking !== "off";
  return {
    model,
    ...(instructions === undefined ? {} : { instructions }),
    ...(toolChoice === undefined ? {} : { tool_choice: writeToolChoice(toolChoice) }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: Math.max(LEAST_TOKENS, maxTokens) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(thinking === undefined ? {} : { reasoning: writeThinking(thinking) }),
    // Without it the model cannot be given its own thinking back, because nothing is stored.
    ...(thinks ? { include: ["reasoning.encrypted_content"] } : {}),
    ...(flags.store === false ? {} : { store: false }),
    ...(stream ? { stream } : {}),
  };
}

/** The role of the prompt when it is an item, and not the `instructions`. */
function promptRole({ form }: CallOptions, flags: Flags): "system" | "developer" | undefined {
  const role = form?.["systemRole"];
  return role === "system" || role === "developer" ? role : flags.systemRole;
}

function writeToolChoice(choice: NonNullable<CallOptions["toolChoice"]>): ToolChoice {
  if (typeof choice === "object") return { type: "function", name: choice.name };
  return choice === "any" ? "required" : choice;
}

function writeThinking(thinking: Thinking): ReasoningOptions {
  if (thinking === "off") return { effort: "none" };
  if (typeof thinking === "string") return { effort: thinking, summary: "auto" };
  return { effort: effortOf(thinking.budgetTokens), summary: "auto" };
}

function reportOptions({ thinking, maxTokens }: CallOptions, report: Report): void {
  if (typeof thinking === "object") {
    report({
      at: "/options/thinking",
      what: `a thinking budget of ${thinking.budgetTokens} tokens`,
      why: `this API accepts only an effort; "${writeThinking(thinking).effort}" is sent`,
      severity: "approximated",
    });
  }
  if (maxTokens !== undefined && maxTokens < LEAST_TOKENS) {
    report({
      at: "/options/maxTokens",
      what: `a limit of ${maxTokens} tokens`,
      why: `the minimum of this API is ${LEAST_TOKENS}`,
      severity: "approximated",
    });
  }
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
          what: "the error flag of the result",
          why: "a result in this API is text only",
          severity: "dropped",
        });
      }
      return [writeResult(message)];
    case "assistant":
      // What a request said it may say again.
      if (isSynthesised(message, "/model")) return itemsOf(message, {});
      return itemsOf(withoutLastThoughts(message, index, report), {
        acceptsId: (id, prefix, block) =>
          ids.accept(id, prefix, `/messages/${index}/content/${block}`, report),
      });
    default:
      return [];
  }
}

/** Thinking that nothing came of: the API refuses reasoning that nothing follows. */
function withoutLastThoughts(message: AssistantMessage, index: number, report: Report): AssistantMessage {
  const { content } = message;
  const last = content.findLastIndex(({ type }) => type !== "thinking");
  if (last === content.length - 1) return message;
  report({
    at: `/messages/${index}/content/${last + 1}`,
    what: "thinking",
    why: "this API rejects reasoning that no other item follows",
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

/** A text as it is; anything else as parts. An empty list is an empty text, because the API refuses the list. */
export function writeOutput(content: readonly UserContent[]): string | JsonObject[] {
  const [first, ...others] = content;
  if (first === undefined) return "";
  const isText = first.type === "text" && others.length === 0 && first.text !== "";
  return isText && Object.keys(notesOf(first)).length === 0 ? first.text : writeParts(content);
}
