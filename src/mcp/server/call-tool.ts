import { argumentProblems } from "../../agent/check-arguments.js";
import type { ToolOutput, ToolRun } from "../../agent/types.js";
import { isObject, isString } from "../../core/json/value.js";
import type { UserContent } from "../../core/types.js";
import type { JsonRpcRequest, McpCallResult, McpContentBlock } from "../wire.js";
import type { Exchange } from "./answer-request.js";
import { metaOf } from "./request-version.js";
import { RpcError } from "./rpc-error.js";
import type { McpService, ServedTool } from "./served-tool.js";

/** The tool that a `tools/call` names. */
function calledTool({ tools }: McpService, { params = {} }: JsonRpcRequest): ServedTool {
  const { name } = params;
  const tool = tools.find((one) => one.name === name);
  if (tool !== undefined) return tool;
  const names = tools.map((one) => one.name).join(", ");
  throw new RpcError("invalidParams", `unknown tool ${JSON.stringify(name)}; the tools are ${names}`);
}

/** Runs a tool. Wrong arguments and failures are results that the client's model reads. */
export async function callTool(
  service: McpService,
  request: JsonRpcRequest,
  exchange: Exchange,
): Promise<McpCallResult> {
  const tool = calledTool(service, request);
  const args = request.params?.["arguments"] ?? {};
  const problems = argumentProblems(tool, args);
  if (problems !== undefined) return failed(problems);
  try {
    const output = await tool.execute(args, {
      toolCallId: String(request.id),
      signal: exchange.signal,
      update: progressOf(request, exchange),
      ...traceIn(request),
    });
    return resultOf(output);
  } catch (error) {
    return failed(service.explain(error));
  }
}

/** The client's place in a trace, not yet checked. */
function traceIn({ params }: JsonRpcRequest): Pick<ToolRun, "trace"> {
  const { traceparent, tracestate } = metaOf(params);
  if (!isString(traceparent)) return {};
  return { trace: { traceparent, ...(isString(tracestate) ? { tracestate } : {}) } };
}

function failed(text: string): McpCallResult {
  return { content: [{ type: "text", text }], isError: true };
}

function resultOf({ content, details, isError }: ToolOutput): McpCallResult {
  return {
    content: typeof content === "string" ? [{ type: "text", text: content }] : content.map(blockOf),
    ...(isObject(details) ? { structuredContent: details } : {}),
    ...(isError === true ? { isError } : {}),
  };
}

function blockOf(block: UserContent): McpContentBlock {
  if (block.type === "text") return { type: "text", text: block.text };
  if ((block.type === "image" || block.type === "audio") && block.data !== undefined) {
    return { type: block.type, data: block.data, mimeType: block.mimeType };
  }
  return { type: "text", text: JSON.stringify(block) };
}

/** Sends a tool's updates as `notifications/progress`, if the client has asked for them. */
function progressOf({ params }: JsonRpcRequest, { notify }: Exchange): (partial: ToolOutput) => void {
  const { progressToken } = metaOf(params);
  if (typeof progressToken !== "string" && typeof progressToken !== "number") return () => undefined;
  let progress = 0;
  return ({ content }) => {
    progress += 1;
    const message = typeof content === "string" ? { message: content } : {};
    notify({
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken, progress, ...message },
    });
  };
}
