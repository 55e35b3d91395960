import { optionAt, optionPlace } from "../../core/api/option-table.js";
import type { Api } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import type { Family, ModelCall } from "./family.js";
import { paramOf, placeOf } from "./openai-errors.js";

/**
 * The fields of a provider's error that are shown to the client: all of them in the provider's own API, and in an API with
 * the same errors all but a `param` that the client's request does not have.
 */
export function shownFields(
  { api }: Family,
  { body }: ModelCall,
  provider: Api | undefined,
  reported: JsonObject,
): JsonObject | undefined {
  if (provider === undefined) return undefined;
  if (provider.dialect === api.dialect) return reported;
  if (api.errorFormat === undefined || provider.errorFormat !== api.errorFormat) return undefined;
  const { param, ...others } = reported;
  const option = typeof param === "string" ? optionAt(provider.options, placeOf(param)) : undefined;
  const place = option === undefined ? undefined : optionPlace(api.options, option, body);
  return { ...others, ...(place === undefined ? {} : { param: paramOf(place) }) };
}
