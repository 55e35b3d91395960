import type { JsonObject } from "../json/value.js";
import type { Call } from "./provider.js";

/** The call with a note on the form of the request that it was read from, unless the note is empty. */
export function withForm(call: Call, form: JsonObject): Call {
  return Object.keys(form).length === 0 ? call : { ...call, options: { ...call.options, form } };
}
