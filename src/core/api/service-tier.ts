import { isString } from "../json/value.js";
import { type OptionField, optionLoss } from "./option-table.js";

/** The tier field of an API with its own tier names: `names` maps ours (`default`) to the API's (`standard_only`). */
export function tierField(at: string, names: Readonly<Record<string, string>>): OptionField<string> {
  return {
    at: [at],
    type: "a string",
    read: (value) =>
      isString(value) ? Object.keys(names).find((tier) => names[tier] === value.toLowerCase()) : undefined,
    write: (tier, { report }) => {
      const name = names[tier];
      if (name !== undefined) return { [at]: name };
      const why = `this API has only the tiers ${Object.keys(names).join(", ")}`;
      report(optionLoss("serviceTier", why, "dropped", `the service tier "${tier}"`));
      return {};
    },
  };
}
