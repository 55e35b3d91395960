import { fieldsOf } from "../core/message/question.js";
import type { Question, ToolCall } from "../core/types.js";
import type { Elicit } from "../mcp/client/client.js";
import { ServerError } from "../mcp/client/connection.js";
import type { McpElicitParams } from "../mcp/wire.js";
import type { Permissions } from "./permissions.js";

/** JSON-RPC's code for parameters that are not valid. */
const INVALID_PARAMS = -32602;

/** Passes a server's questions during a call to the approvers of the conversation. If no answer can come, it is cancelled. */
export function elicitFrom(permissions: Permissions, server: string, call: ToolCall): Elicit {
  return async (params, signal) => {
    const question = questionOf(server, params);
    if (!permissions.canAsk) return { action: "cancel" };
    const { end, content } = await permissions.request({ toolCall: call, question }, signal);
    if (end === "expired" || end === "withdrawn" || signal.aborted) return { action: "cancel" };
    if (end === "never") return { action: "decline" };
    return question.url === undefined ? { action: "accept", content: content ?? {} } : { action: "accept" };
  };
}

function questionOf(server: string, { message, url, mode, requestedSchema }: McpElicitParams): Question {
  if (mode === "url") {
    if (url === undefined || !/^https?:\/\//.test(url))
      throw invalid("a question with a page needs its http URL");
    return { server, message, fields: [], url };
  }
  const { properties = {}, required = [] } = requestedSchema ?? {};
  const fields = fieldsOf(properties, required);
  if (fields === undefined) throw invalid("a form can only have fields of primitive types");
  return { server, message, fields };
}

function invalid(message: string): ServerError {
  return new ServerError({ code: INVALID_PARAMS, message });
}
