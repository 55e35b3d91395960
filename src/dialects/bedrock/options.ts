import { claudeSampling } from "../../core/api/claude-thinking.js";
import {
  ALWAYS_PARALLEL,
  listField,
  numberField,
  type OptionField,
  type OptionTable,
  optionLoss,
  type Writing,
} from "../../core/api/option-table.js";
import { fitOutputSchema } from "../../core/api/output-schema.js";
import type { Output } from "../../core/api/provider.js";
import { tierField } from "../../core/api/service-tier.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import {
  ADDITIONAL,
  fieldsBeside,
  isClaude,
  isNova,
  readThinking,
  THINKING_FIELDS,
  thinks,
  unknownField,
  writeLimit,
  writeThinking,
} from "./thinking.js";
import { calledTools, hasTools, readToolChoice, writeToolChoice } from "./tools.js";
import { objectIn } from "./wire.js";

const CONFIG = "/inferenceConfig";
const FORMAT = "/outputConfig/textFormat";
const SCHEMA = `${FORMAT}/structure/jsonSchema`;

/** The options of `converse` and `converse-stream`. */
export const options: OptionTable = {
  maxTokens: {
    ...numberField(`${CONFIG}/maxTokens`),
    write: (maxTokens, writing) => ({ [`${CONFIG}/maxTokens`]: writeLimit(maxTokens, writing) }),
  },
  temperature: samplingField("temperature", `${CONFIG}/temperature`),
  topP: samplingField("topP", `${CONFIG}/topP`),
  topK: {
    ...numberField(`${ADDITIONAL}/top_k`, `${ADDITIONAL}/inferenceConfig/topK`),
    write: (topK, writing) => {
      const { call, flags, report } = writing;
      if (isClaude(call.model, flags)) return claudeTopK.write(topK, writing);
      if (isNova(call.model)) return { [`${ADDITIONAL}/inferenceConfig/topK`]: topK };
      report(optionLoss("topK", unknownField("top-k sampling")));
      return {};
    },
  },
  seed: { missing: "this API has no seed" },
  stop: {
    ...listField(`${CONFIG}/stopSequences`),
    write: (stop, { call, flags, report }) => {
      const isVisible = isClaude(call.model, flags);
      const accepted = stop.filter((text) => (isVisible ? text.trim() : text) !== "");
      if (accepted.length < stop.length) {
        const which = isVisible ? "sequences of white space only" : "empty sequences";
        report(optionLoss("stop", `this model rejects ${which}`, "approximated"));
      }
      return accepted.length === 0 ? {} : { [`${CONFIG}/stopSequences`]: accepted };
    },
  },
  presencePenalty: { missing: "this API has no penalties", usual: 0 },
  frequencyPenalty: { missing: "this API has no penalties", usual: 0 },
  thinking: {
    at: THINKING_FIELDS,
    beside: fieldsBeside,
    type: "a string",
    read: (_, body) => readThinking(body),
    write: writeThinking,
  },
  toolChoice: {
    at: ["/toolConfig/toolChoice"],
    type: "an object",
    read: readToolChoice,
    write: (choice, { call, report }) => {
      if (choice === "none") {
        // Without calls in the history, the request offers no tools instead.
        const why = "this API cannot forbid calls, and requires tools that the history calls to be declared";
        if (calledTools(call.context.messages).length > 0) {
          report(optionLoss("toolChoice", why, "dropped", "the choice of no tools"));
        }
        return {};
      }
      if (hasTools(call)) return { "/toolConfig/toolChoice": writeToolChoice(choice) };
      report(optionLoss("toolChoice", "this API accepts it only together with tools"));
      return {};
    },
  },
  parallelToolCalls: ALWAYS_PARALLEL,
  output: {
    at: [`${FORMAT}/type`],
    beside: () => [`${SCHEMA}/schema`, `${SCHEMA}/name`, `${SCHEMA}/description`],
    type: "a string",
    read: (type, body) => (type === "json_schema" ? readOutput(body) : undefined),
    write: (output, { report }) => {
      if (output === "json") {
        const why = "this API has structured output only with a schema";
        report(optionLoss("output", why, "dropped", "JSON output"));
        return {};
      }
      const { schema, name, description } = output;
      return {
        [`${FORMAT}/type`]: "json_schema",
        [`${SCHEMA}/schema`]: JSON.stringify(fitOutputSchema(schema, report)),
        ...(name === undefined ? {} : { [`${SCHEMA}/name`]: name }),
        ...(description === undefined ? {} : { [`${SCHEMA}/description`]: description }),
      };
    },
  },
  serviceTier: serviceTierField(),
  user: { missing: "this API has no field for the end user" },
};

/** Claude has its own rules; for other models only the API's range applies. */
function samplingField(name: "temperature" | "topP", at: string): OptionField<number> {
  const claude = claudeSampling(name, at, thinks);
  return {
    ...claude,
    write: (value, writing) => {
      const { call, flags, report } = writing;
      if (isClaude(call.model, flags)) return claude.write(value, writing);
      if (value <= 1) return { [at]: value };
      report(optionLoss(name, "this API's highest value is 1", "approximated"));
      return { [at]: 1 };
    },
  };
}

const claudeTopK = claudeSampling("topK", `${ADDITIONAL}/top_k`, thinks);

/** The schema is JSON in a string. */
function readOutput(body: JsonObject): Output | undefined {
  const format = objectIn(objectIn(body, "outputConfig"), "textFormat");
  const { schema: text, name, description } = objectIn(format?.["structure"], "jsonSchema") ?? {};
  const schema = isString(text) ? parseSchema(text) : undefined;
  if (!isObject(schema)) return undefined;
  return {
    schema,
    ...(isString(name) ? { name } : {}),
    ...(isString(description) ? { description } : {}),
  };
}

function parseSchema(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without a tier the service chooses, which other APIs call `auto`. */
function serviceTierField(): OptionField<string> {
  const field = tierField("/serviceTier/type", {
    default: "default",
    flex: "flex",
    priority: "priority",
    reserved: "reserved",
  });
  const write = (tier: string, writing: Writing) => (tier === "auto" ? {} : field.write(tier, writing));
  return { ...field, write };
}
