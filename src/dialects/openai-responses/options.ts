import { effortOf, readEffort } from "../../core/api/effort.js";
import {
  flagField,
  numberField,
  type OptionTable,
  optionLoss,
  textField,
} from "../../core/api/option-table.js";
import { readNamedSchema, writeNamedSchema } from "../../core/api/output.js";
import type { CallOptions, Output, Thinking } from "../../core/api/provider.js";
import { isObject, type JsonObject, sameJson } from "../../core/json/value.js";

/** The lowest limit that the API accepts. */
const LEAST_TOKENS = 16;

/** Required to send the model its own thinking back, because we do not let the provider store answers. */
const INCLUDE = ["reasoning.encrypted_content"];

type ToolChoice = NonNullable<CallOptions["toolChoice"]>;

/** The options of `POST /responses`. */
export const options: OptionTable = {
  maxTokens: {
    ...numberField("/max_output_tokens"),
    write: (maxTokens, { report }) => {
      if (maxTokens >= LEAST_TOKENS) return { "/max_output_tokens": maxTokens };
      const why = `this API's minimum is ${LEAST_TOKENS}`;
      report(optionLoss("maxTokens", why, "approximated", `a limit of ${maxTokens} tokens`));
      return { "/max_output_tokens": LEAST_TOKENS };
    },
  },
  temperature: numberField("/temperature"),
  topP: numberField("/top_p"),
  topK: { missing: "this API has no top-k sampling" },
  seed: { missing: "this API has no seed" },
  stop: { missing: "this API has no stop sequences", usual: [] },
  presencePenalty: { missing: "this API has no penalties", usual: 0 },
  frequencyPenalty: { missing: "this API has no penalties", usual: 0 },
  thinking: {
    at: ["/reasoning/effort"],
    beside: besideEffort,
    type: "a string",
    read: (effort): Thinking | undefined => readEffort(effort),
    write: (thinking, { report }) => {
      if (thinking === "off") return { "/reasoning/effort": "none" };
      const effort = typeof thinking === "string" ? thinking : effortOf(thinking.budgetTokens);
      if (typeof thinking === "object") {
        const why = `this API accepts only an effort; "${effort}" is sent`;
        const what = `a thinking budget of ${thinking.budgetTokens} tokens`;
        report(optionLoss("thinking", why, "approximated", what));
      }
      return { "/reasoning/effort": effort, "/reasoning/summary": "auto", "/include": INCLUDE };
    },
  },
  toolChoice: {
    at: ["/tool_choice"],
    type: "a string or an object",
    read: readChoice,
    write: (choice) => {
      if (typeof choice === "object") return { "/tool_choice": { type: "function", name: choice.name } };
      return { "/tool_choice": choice === "any" ? "required" : choice };
    },
  },
  parallelToolCalls: flagField("/parallel_tool_calls"),
  output: {
    at: ["/text/format/type"],
    beside: () => ["name", "description", "schema", "strict"].map((key) => `/text/format/${key}`),
    type: "a string",
    read: (type, { text }): Output | undefined => {
      if (type === "json_object") return "json";
      return type === "json_schema" && isObject(text) ? readNamedSchema(text["format"]) : undefined;
    },
    write: (output) =>
      output === "json"
        ? { "/text/format": { type: "json_object" } }
        : { "/text/format": { type: "json_schema", ...writeNamedSchema(output) } },
  },
  serviceTier: textField("/service_tier"),
  user: textField("/user", "/safety_identifier"),
};

/** The fields that we write together with an effort. */
function besideEffort({ reasoning, include }: JsonObject): string[] {
  const hasSummary = isObject(reasoning) && reasoning["summary"] === "auto";
  return [...(hasSummary ? ["/reasoning/summary"] : []), ...(sameJson(include, INCLUDE) ? ["/include"] : [])];
}

function readChoice(choice: unknown): ToolChoice | undefined {
  if (choice === "auto" || choice === "none") return choice;
  if (choice === "required") return "any";
  if (!isObject(choice) || choice["type"] !== "function" || typeof choice["name"] !== "string")
    return undefined;
  return { name: choice["name"] };
}
