import { estimateTokens } from "../../agent/tokens.js";
import type { Api } from "../../core/api/provider.js";
import type { JsonObject } from "../../core/json/value.js";
import { type ApiName, loadApi } from "../../dialects/registry.js";
import type { HttpReply } from "../types.js";
import { asRefusal } from "./failure.js";

/** Estimates the tokens of a request. Only its model could count them, so a header marks the number as an estimate. */
export async function countTokens(name: ApiName, body: JsonObject, field: string): Promise<HttpReply> {
  const { systemPrompt = "", messages, tools = [] } = contextIn(await loadApi(name), body);
  const others = [systemPrompt, ...tools.map((tool) => JSON.stringify(tool))];
  const all = [...messages, ...others.map((content) => ({ role: "user" as const, content, timestamp: 0 }))];
  const tokens = all.reduce((sum, message) => sum + estimateTokens(message), 0);
  return { status: 200, headers: { "x-dragoman-estimate": "true" }, json: { [field]: tokens } };
}

function contextIn(api: Api, body: JsonObject) {
  try {
    return api.readRequest(body).context;
  } catch (error) {
    throw asRefusal(error);
  }
}
