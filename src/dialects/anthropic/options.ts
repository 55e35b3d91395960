import { claudeSampling } from "../../core/api/claude-thinking.js";
import {
  listField,
  numberField,
  type OptionTable,
  optionLoss,
  textField,
} from "../../core/api/option-table.js";
import { labelSchema } from "../../core/api/output.js";
import { fitOutputSchema } from "../../core/api/output-schema.js";
import type { CallOptions, Output, Thinking } from "../../core/api/provider.js";
import { tierField } from "../../core/api/service-tier.js";
import { isObject } from "../../core/json/value.js";
import { readThinking, thinks, writeLimit, writeThinking } from "./thinking.js";
import { hasTools } from "./tools.js";

const NO_TOOLS = "this API accepts it only together with tools";

type ToolChoice = NonNullable<CallOptions["toolChoice"]>;

/** The options of `POST /v1/messages`. */
export const options: OptionTable = {
  maxTokens: {
    ...numberField("/max_tokens"),
    write: (_, writing) => ({ "/max_tokens": writeLimit(writing) }),
  },
  temperature: claudeSampling("temperature", "/temperature", thinks),
  topP: claudeSampling("topP", "/top_p", thinks),
  topK: claudeSampling("topK", "/top_k", thinks),
  seed: { missing: "this API has no seed" },
  stop: {
    ...listField("/stop_sequences"),
    write: (stop, { report }) => {
      const visible = stop.filter((text) => text.trim() !== "");
      if (visible.length < stop.length) {
        report(optionLoss("stop", "this API rejects sequences of white space only", "approximated"));
      }
      return visible.length === 0 ? {} : { "/stop_sequences": visible };
    },
  },
  presencePenalty: { missing: "this API has no penalties", usual: 0 },
  frequencyPenalty: { missing: "this API has no penalties", usual: 0 },
  thinking: {
    at: ["/thinking/type"],
    beside: (body) => {
      const { thinking } = body;
      const isAdaptive = isObject(thinking) && thinking["type"] === "adaptive";
      return isAdaptive ? ["/output_config/effort"] : ["/thinking/budget_tokens"];
    },
    type: "a string",
    read: (_, body): Thinking | undefined => readThinking(body),
    write: (thinking, writing) => writeThinking(thinking, writing),
  },
  toolChoice: {
    at: ["/tool_choice/type"],
    beside: () => ["/tool_choice/name"],
    type: "a string",
    read: (type, { tool_choice }): ToolChoice | undefined => {
      const name = isObject(tool_choice) ? tool_choice["name"] : undefined;
      if (type === "tool") return typeof name === "string" ? { name } : undefined;
      return type === "auto" || type === "any" || type === "none" ? type : undefined;
    },
    write: (choice, { call, report }) => {
      if (!hasTools(call)) report(optionLoss("toolChoice", NO_TOOLS));
      else if (typeof choice === "string") return { "/tool_choice/type": choice };
      else return { "/tool_choice/type": "tool", "/tool_choice/name": choice.name };
      return {};
    },
  },
  parallelToolCalls: {
    at: ["/tool_choice/disable_parallel_tool_use"],
    type: "true or false",
    read: (isDisabled) => isDisabled !== true,
    write: (isAllowed, { call, report }) => {
      const { toolChoice } = call.options;
      if (isAllowed || toolChoice === "none") return {};
      if (!hasTools(call)) {
        report(optionLoss("parallelToolCalls", NO_TOOLS));
        return {};
      }
      const type = toolChoice === undefined ? { "/tool_choice/type": "auto" } : {};
      return { ...type, "/tool_choice/disable_parallel_tool_use": true };
    },
  },
  output: {
    at: ["/output_config/format/type", "/output_format/type"],
    beside: () => ["/output_config/format/schema", "/output_format/schema"],
    type: "a string",
    read: (type, { output_config, output_format }): Output | undefined => {
      const format = isObject(output_config) ? (output_config["format"] ?? output_format) : output_format;
      const schema = isObject(format) ? format["schema"] : undefined;
      return type === "json_schema" && isObject(schema) ? { schema } : undefined;
    },
    write: (output, { report }) => {
      if (output === "json") {
        report(
          optionLoss("output", "this API has structured output only with a schema", "dropped", "JSON output"),
        );
        return {};
      }
      return {
        "/output_config/format/type": "json_schema",
        "/output_config/format/schema": fitOutputSchema(labelSchema(output, report), report),
      };
    },
  },
  serviceTier: tierField("/service_tier", { auto: "auto", default: "standard_only" }),
  user: textField("/metadata/user_id"),
};
