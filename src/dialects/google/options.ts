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
import type { CallOptions, Output, OutputSchema, Thinking } from "../../core/api/provider.js";
import { tierField } from "../../core/api/service-tier.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { Loss } from "../../core/types.js";
import { cleanSchema } from "./clean-schema.js";
import { lowerTypes } from "./schema-types.js";
import { ignoredKeywords, type Stripped, strippedKeywords } from "./stripped-keywords.js";

const CONFIG = "/generationConfig";
const THINKING = `${CONFIG}/thinkingConfig`;
const CALLING = "/toolConfig/functionCallingConfig";

type ToolChoice = NonNullable<CallOptions["toolChoice"]>;

/** The options of `generateContent`. */
export const options: OptionTable = {
  maxTokens: numberField(`${CONFIG}/maxOutputTokens`),
  temperature: numberField(`${CONFIG}/temperature`),
  topP: numberField(`${CONFIG}/topP`),
  topK: numberField(`${CONFIG}/topK`),
  seed: numberField(`${CONFIG}/seed`),
  stop: listField(`${CONFIG}/stopSequences`),
  presencePenalty: numberField(`${CONFIG}/presencePenalty`),
  frequencyPenalty: numberField(`${CONFIG}/frequencyPenalty`),
  thinking: {
    at: [`${THINKING}/thinkingBudget`, `${THINKING}/thinkingLevel`],
    beside: (body) => (thinkingIn(body)["includeThoughts"] === true ? [`${THINKING}/includeThoughts`] : []),
    type: "a number or a string",
    read: (value): Thinking | undefined => {
      if (typeof value !== "number") return readEffort(value);
      // A negative budget lets the model decide.
      if (value < 0) return undefined;
      return value === 0 ? "off" : { budgetTokens: value };
    },
    write: writeThinking,
  },
  toolChoice: {
    at: [`${CALLING}/mode`],
    beside: () => [`${CALLING}/allowedFunctionNames`],
    type: "a string",
    read: readChoice,
    write: (choice) =>
      typeof choice === "object"
        ? { [`${CALLING}/mode`]: "ANY", [`${CALLING}/allowedFunctionNames`]: [choice.name] }
        : { [`${CALLING}/mode`]: choice.toUpperCase() },
  },
  parallelToolCalls: ALWAYS_PARALLEL,
  output: {
    at: [`${CONFIG}/responseMimeType`],
    beside: () => ["responseJsonSchema", "responseSchema"].map((key) => `${CONFIG}/${key}`),
    type: "a string",
    read: (type, body): Output | undefined => {
      if (type !== "application/json") return undefined;
      const { responseJsonSchema, responseSchema } = objectIn(body, "generationConfig");
      if (isObject(responseJsonSchema)) return { schema: responseJsonSchema };
      return isObject(responseSchema) ? { schema: lowerTypes(responseSchema) } : "json";
    },
    write: (output, writing) => ({
      [`${CONFIG}/responseMimeType`]: "application/json",
      ...(output === "json" ? {} : writeSchema(output, writing)),
    }),
  },
  serviceTier: tierField("/serviceTier", {
    auto: "unspecified",
    default: "standard",
    flex: "flex",
    priority: "priority",
  }),
  user: { missing: "this API has no field for the end user" },
};

function objectIn(body: JsonObject, key: string): JsonObject {
  const value = body[key];
  return isObject(value) ? value : {};
}

function thinkingIn(body: JsonObject): JsonObject {
  return objectIn(objectIn(body, "generationConfig"), "thinkingConfig");
}

/** For models that accept only budgets; all of them accept these values. */
const BUDGETS = { minimal: 512, low: 2048, medium: 8192, high: 24_576 } as const;

const LEVELS = ["minimal", "low", "medium", "high"] as const;

/** 2.5 for `gemini-2.5-pro`; undefined for names without a number. */
export function generation(model: string): number | undefined {
  const [, found] = /gemini-(\d+(?:\.\d+)?)/.exec(model) ?? [];
  return found === undefined ? undefined : Number(found);
}

function writeThinking(thinking: Thinking, { call, report }: Writing): Fields {
  const version = generation(call.model);
  if (thinking === "off") {
    // Thinking cannot be turned off in Gemini 3 and later.
    if ((version ?? 0) < 3) return { [`${THINKING}/thinkingBudget`]: 0 };
    const why = `${call.model} always thinks; minimal thinking is requested`;
    report(optionLoss("thinking", why, "approximated", "the request not to think"));
    return { [`${THINKING}/thinkingLevel`]: "LOW" };
  }
  const shown = { [`${THINKING}/includeThoughts`]: true };
  if (typeof thinking === "object")
    return { ...shown, [`${THINKING}/thinkingBudget`]: thinking.budgetTokens };
  const level = closestLevel(thinking, LEVELS);
  if (level !== thinking) {
    const why = `this API's closest level is "${level}"`;
    report(optionLoss("thinking", why, "approximated", `thinking "${thinking}"`));
  }
  if ((version ?? 3) < 3) return { ...shown, [`${THINKING}/thinkingBudget`]: BUDGETS[level] };
  return { ...shown, [`${THINKING}/thinkingLevel`]: level.toUpperCase() };
}

function readChoice(mode: unknown, body: JsonObject): ToolChoice | undefined {
  const { allowedFunctionNames: names } = objectIn(objectIn(body, "toolConfig"), "functionCallingConfig");
  const choice = (["auto", "any", "none"] as const).find((one) => one === String(mode).toLowerCase());
  if (names === undefined) return choice;
  const [name, ...others] = Array.isArray(names) ? names : [];
  return choice === "any" && typeof name === "string" && others.length === 0 ? { name } : undefined;
}

function writeSchema(output: OutputSchema, { flags, report }: Writing): Fields {
  const schema = labelSchema(output, report);
  const isOlder = flags.jsonSchema === false;
  for (const keyword of isOlder ? strippedKeywords(schema) : ignoredKeywords(schema)) {
    report(keywordLoss(keyword));
  }
  return isOlder
    ? { [`${CONFIG}/responseSchema`]: cleanSchema(schema) }
    : { [`${CONFIG}/responseJsonSchema`]: schema };
}

function keywordLoss({ keyword, at, count }: Stripped): Loss {
  return {
    at: `/options/output/schema${at}`,
    what: `"${keyword}" in the output schema${count === 1 ? "" : `, ${count} times`}`,
    why: "this model does not enforce the keyword",
    severity: "dropped",
  };
}
