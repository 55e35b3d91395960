import type { ApiRules } from "../../core/api/api-rules.js";
import { optionLoss } from "../../core/api/option-table.js";
import type { CallOptions } from "../../core/api/provider.js";
import type { Shown, ShownConversation, ShownMessage } from "../../core/shown/conversation.js";
import type { Report } from "./entry.js";

const INSTRUCTION = "Respond with a single JSON object and no other text.";

const ASKED = "this API enforces JSON only with a schema; the system prompt asks for it instead";
const MENTIONED = "this API requires that a message mentions JSON; an instruction is added";

interface Asked extends ShownConversation {
  options: CallOptions;
}

/** Asks for JSON in words where the API does not have a setting for it, or requires the words beside the setting. */
export function instructJson<A extends Asked>({ anyJson }: ApiRules, asked: A, report: Report): A {
  const { output, ...others } = asked.options;
  if (output !== "json" || anyJson === undefined) return asked;
  const { systemPrompt = "", messages } = asked;
  const prompt = [systemPrompt, INSTRUCTION].filter((text) => text !== "").join("\n\n");
  if (anyJson === "prompt") {
    report(optionLoss("output", ASKED, "approximated", "JSON output"));
    return { ...asked, systemPrompt: prompt, options: others };
  }
  const isMentioned = messages.some(({ message }) => mentionsJson(textOf(message)));
  if (isMentioned || (anyJson === "mentioned" && mentionsJson(systemPrompt))) return asked;
  report(optionLoss("output", MENTIONED, "synthesised", "an instruction to write JSON"));
  return anyJson === "mentioned"
    ? { ...asked, systemPrompt: prompt }
    : { ...asked, messages: [instruction(), ...messages] };
}

function instruction(): Shown {
  return { message: { role: "system", content: INSTRUCTION, timestamp: 0 }, index: 0 };
}

function mentionsJson(text: string): boolean {
  return /json/i.test(text);
}

function textOf({ content }: ShownMessage): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
}
