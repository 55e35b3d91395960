import { closestLevel, readEffort } from "../../core/api/effort.js";
import {
  ALWAYS_PARALLEL,
  type Fields,
  listField,
  numberField,
  type OptionTable,
  optionLoss,
  type Writing,
} from "../../core/api/option-table.js";
import { labelSchema } from "../../core/api/output.js";
import type { Output, Thinking } from "../../core/api/provider.js";
import { isObject } from "../../core/json/value.js";

/** The options of `POST /api/chat`. */
export const options: OptionTable = {
  maxTokens: numberField("/options/num_predict"),
  temperature: numberField("/options/temperature"),
  topP: numberField("/options/top_p"),
  topK: numberField("/options/top_k"),
  seed: numberField("/options/seed"),
  stop: listField("/options/stop"),
  presencePenalty: numberField("/options/presence_penalty"),
  frequencyPenalty: numberField("/options/frequency_penalty"),
  thinking: {
    at: ["/think"],
    type: "true, false or a level",
    read: (think): Thinking | undefined => {
      // `true` is the model's default level.
      if (typeof think === "boolean") return think ? "medium" : "off";
      return readEffort(think);
    },
    write: writeThink,
  },
  toolChoice: {
    at: ["/tool_choice"],
    type: "a string or an object",
    read: () => undefined,
    write: (choice, { report }) => {
      // For "none" the request offers no tools, and "auto" is the API's behaviour.
      if (choice !== "auto" && choice !== "none") {
        report(optionLoss("toolChoice", "Ollama lets the model choose", "dropped", "the required tool call"));
      }
      return {};
    },
  },
  parallelToolCalls: ALWAYS_PARALLEL,
  output: {
    at: ["/format"],
    type: "a string or an object",
    read: (format): Output | undefined => {
      if (isObject(format)) return { schema: format };
      return format === "json" ? format : undefined;
    },
    write: (output, { report }) => {
      if (output === "json") return { "/format": output };
      return { "/format": labelSchema(output, report) };
    },
  },
  serviceTier: { missing: "this API has no service tiers", usual: "auto" },
  user: { missing: "this API has no field for the end user" },
};

/** The models that have thinking levels; others refuse them. */
const LEVELLED = /(?:^|\/)gpt-oss/;

function writeThink(thinking: Thinking, { call, report }: Writing): Fields {
  if (thinking === "off") return { "/think": false };
  const think = LEVELLED.test(call.model) ? levelOf(thinking) : true;
  if (thinking !== (think === true ? "medium" : think)) {
    const why =
      think === true ? "this model's thinking is either on or off" : `the closest level is "${think}"`;
    report(optionLoss("thinking", why, "approximated", `thinking ${JSON.stringify(thinking)}`));
  }
  return { "/think": think };
}

function levelOf(thinking: Exclude<Thinking, "off">): "low" | "medium" | "high" {
  return isObject(thinking) ? "medium" : closestLevel(thinking, ["low", "medium", "high"]);
}
