import { effortOf, readEffort } from "../../core/api/effort.js";
import {
  flagField,
  isStrings,
  numberField,
  type OptionTable,
  optionLoss,
  textField,
} from "../../core/api/option-table.js";
import { readNamedSchema, writeNamedSchema } from "../../core/api/output.js";
import type { CallOptions, Output, Thinking } from "../../core/api/provider.js";
import { isObject, isString } from "../../core/json/value.js";
import { hasToolsField } from "./tools.js";

const NO_TOOLS = "this API accepts it only together with tools";

type ToolChoice = NonNullable<CallOptions["toolChoice"]>;

/** The options of `POST /chat/completions`. */
export const options: OptionTable = {
  maxTokens: {
    ...numberField("/max_completion_tokens", "/max_tokens"),
    write: (maxTokens, { flags }) => ({ [`/${flags.maxTokensField ?? "max_completion_tokens"}`]: maxTokens }),
  },
  temperature: numberField("/temperature"),
  topP: numberField("/top_p"),
  topK: {
    ...numberField("/top_k"),
    write: (topK, { flags, report }) => {
      if (flags.topK === true) return { "/top_k": topK };
      report(optionLoss("topK", "OpenAI rejects it; set the flag topK for a server that accepts it"));
      return {};
    },
  },
  seed: numberField("/seed"),
  stop: {
    at: ["/stop"],
    type: "a string or a list of strings",
    read: (stop) => (isString(stop) ? [stop] : isStrings(stop) ? stop : undefined),
    write: (stop) => ({ "/stop": stop }),
  },
  presencePenalty: numberField("/presence_penalty"),
  frequencyPenalty: numberField("/frequency_penalty"),
  thinking: {
    at: ["/reasoning_effort", "/reasoning/effort"],
    type: "a string",
    read: (effort): Thinking | undefined => readEffort(effort),
    write: (thinking, { report }) => {
      if (thinking === "off") return { "/reasoning_effort": "none" };
      if (typeof thinking === "string") return { "/reasoning_effort": thinking };
      const { budgetTokens } = thinking;
      const effort = effortOf(budgetTokens);
      const why = `Chat Completions accepts only an effort; "${effort}" is sent`;
      report(optionLoss("thinking", why, "approximated", `a thinking budget of ${budgetTokens} tokens`));
      return { "/reasoning_effort": effort };
    },
  },
  toolChoice: {
    at: ["/tool_choice"],
    type: "a string or an object",
    read: readChoice,
    write: (choice, { call, flags, report }) => {
      if (!hasToolsField(call, flags)) report(optionLoss("toolChoice", NO_TOOLS));
      else if (choice === "any") return { "/tool_choice": "required" };
      else if (typeof choice === "string") return { "/tool_choice": choice };
      else return { "/tool_choice": { type: "function", function: { name: choice.name } } };
      return {};
    },
  },
  parallelToolCalls: {
    ...flagField("/parallel_tool_calls"),
    write: (isAllowed, { call, flags, report }) => {
      if (hasToolsField(call, flags)) return { "/parallel_tool_calls": isAllowed };
      report(optionLoss("parallelToolCalls", NO_TOOLS));
      return {};
    },
  },
  output: {
    at: ["/response_format/type"],
    beside: () => ["/response_format/json_schema"],
    type: "a string",
    read: (type, { response_format: format }): Output | undefined => {
      if (type === "json_object") return "json";
      return type === "json_schema" && isObject(format) ? readNamedSchema(format["json_schema"]) : undefined;
    },
    write: (output) =>
      output === "json"
        ? { "/response_format": { type: "json_object" } }
        : { "/response_format": { type: "json_schema", json_schema: writeNamedSchema(output) } },
  },
  serviceTier: textField("/service_tier"),
  user: textField("/user", "/safety_identifier"),
};

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none") return choice;
  if (choice === "required") return "any";
  const named = isObject(choice) && choice["type"] === "function" ? choice["function"] : undefined;
  const name = isObject(named) ? named["name"] : undefined;
  return typeof name === "string" ? { name } : undefined;
}
