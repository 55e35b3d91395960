import type { Api } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { estimateTokens, promptTokens } from "../../core/shown/tokens.js";
import { type ApiName, loadApi } from "../../dialects/registry.js";
import type { HttpReply } from "../types.js";
import { asRefusal } from "./failure.js";

/** Estimates the tokens of a request. Only its model could count them, so a header marks the number as an estimate. */
export async function countTokens(name: ApiName, body: JsonObject, field: string): Promise<HttpReply> {
  const context = contextIn(await loadApi(name), body);
  const tokens = context.messages.reduce(
    (sum, message) => sum + estimateTokens(message),
    promptTokens(context),
  );
  return { status: 200, headers: { "x-dragoman-estimate": "true" }, json: { [field]: tokens } };
}

function contextIn(api: Api, body: JsonObject) {
  try {
    return api.readRequest(body).context;
  } catch (error) {
    throw asRefusal(error);
  }
}
