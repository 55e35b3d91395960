import { guards } from "../core/validate.js";
import * as generated from "./generated/validators.js";
import type { JsonRpcFailure, JsonRpcNotification, JsonRpcRequest, JsonRpcResult } from "./wire.js";

/** Checks for what the other side sends, by schema name. */
export const mcp = guards(generated);

export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResult | JsonRpcFailure;

/** One JSON-RPC message of any kind; undefined if the value is not one. */
export function messageOf(
  value: unknown,
):
  | { kind: "request"; message: JsonRpcRequest }
  | { kind: "notification"; message: JsonRpcNotification }
  | { kind: "result"; message: JsonRpcResult }
  | { kind: "failure"; message: JsonRpcFailure }
  | undefined {
  if (mcp.is("JsonRpcFailure", value)) return { kind: "failure", message: value };
  if (mcp.is("JsonRpcResult", value)) return { kind: "result", message: value };
  if (mcp.is("JsonRpcRequest", value)) return { kind: "request", message: value };
  if (mcp.is("JsonRpcNotification", value) && !("id" in value))
    return { kind: "notification", message: value };
  return undefined;
}
