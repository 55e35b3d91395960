import type { Call, Flags, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { AgentMessage, Loss } from "../../core/types.js";
import { unnamedCalls, writeMessage } from "./messages.js";
import { restoreForm } from "./notes.js";
import { imageData } from "./parts.js";
import { writeTool } from "./tools.js";
import type { WireRequest, WireThink } from "./wire.js";

type Report = (loss: Loss) => void;

export function request(call: Call, _flags: Flags, report: Report): JsonObject {
  const { model, context, options, stream } = call;
  const { toolChoice, extra = {}, form } = options;
  // There is no way to say that tools may not be called, but not to offer any.
  const tools = toolChoice === "none" ? undefined : context.tools?.map(writeTool);
  if (toolChoice === "any" || isObject(toolChoice)) {
    report(lost("/options/toolChoice", "the required tool call", "Ollama lets the model choose"));
  }
  const body: WireRequest = {
    model,
    messages: writeMessages(context.systemPrompt, context.messages, report),
    ...(tools === undefined ? {} : { tools }),
    ...writeThink(options.thinking, model, report),
    stream,
  };
  return restoreForm({ ...body, ...extra, ...writeSettings(call) }, form);
}

/** Unless it is told how much to read, a server reads a few thousand tokens of a prompt and leaves out the rest. */
function writeSettings({ options, limits = {} }: Call): Pick<WireRequest, "options"> {
  const { maxTokens, temperature, extra } = options;
  const { contextWindow } = limits;
  const others = extra?.["options"];
  if (maxTokens === undefined && temperature === undefined && contextWindow === undefined) return {};
  return {
    options: {
      ...(contextWindow === undefined ? {} : { num_ctx: contextWindow }),
      ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(isObject(others) ? others : {}),
    },
  };
}

function writeMessages(
  systemPrompt: string | undefined,
  messages: readonly AgentMessage[],
  report: Report,
): JsonObject[] {
  const unnamed = unnamedCalls(messages);
  const prompt = systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }];
  const written = messages.map((message, index) => {
    reportLosses(message, `/messages/${index}`, report);
    return writeMessage(message, unnamed);
  });
  return [...prompt, ...written.filter((message) => message !== undefined)];
}

function reportLosses(message: AgentMessage, at: string, report: Report): void {
  if (message.role === "toolResult" && message.isError) {
    report(lost(`${at}/isError`, "the error flag", "Ollama has none; the text of the result is sent"));
  }
  if (message.role !== "user" && message.role !== "toolResult") return;
  for (const [index, block] of Array.isArray(message.content) ? message.content.entries() : []) {
    if (block.type === "image" && imageData(block) === undefined) {
      report(lost(`${at}/content/${index}`, "an image URL", "Ollama accepts images as bytes only"));
    }
  }
}

/** The models whose thinking has levels; others refuse them. */
const LEVELLED = /(?:^|\/)gpt-oss/;

function writeThink(thinking: Thinking | undefined, model: string, report: Report): { think?: WireThink } {
  if (thinking === undefined) return {};
  if (thinking === "off") return { think: false };
  const think = LEVELLED.test(model) ? levelOf(thinking) : true;
  // What `true` means is the model's own middle.
  if (thinking !== (think === true ? "medium" : think)) {
    report({
      at: "/options/thinking",
      what: `thinking ${JSON.stringify(thinking)}`,
      why: think === true ? "this model's thinking is either on or off" : `the nearest level is "${think}"`,
      severity: "approximated",
    });
  }
  return { think };
}

function levelOf(thinking: Exclude<Thinking, "off">): "low" | "medium" | "high" {
  if (thinking === "minimal") return "low";
  return isObject(thinking) ? "medium" : thinking;
}

function lost(at: string, what: string, why: string): Loss {
  return { at, what, why, severity: "dropped" };
}
