import type { TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import type { Tool } from "../../agent/types.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import type { ToolCall } from "../../core/types.js";
import type { McpTool } from "../wire.js";
import type { Elicit } from "./client.js";
import type { ServerLink } from "./server-link.js";
import { exposedName, ruleName } from "./tool-names.js";
import { type McpDetails, outputOf, progressText } from "./tool-output.js";

const TIMEOUT_MS = 120_000;

export interface ServerToolOptions {
  server: string;
  link: ServerLink;
  timeoutSeconds?: number | undefined;
  askFor?: AskFor | undefined;
}

/** Makes what asks the person of a conversation during a call. */
export type AskFor = (server: string, call: ToolCall) => Elicit;

/** A server's tool as a tool of ours. What it claims about itself (`annotations`) allows nothing. */
export function serverTool(tool: McpTool, options: ServerToolOptions): Tool<TSchema, McpDetails> {
  const { server, link, timeoutSeconds, askFor } = options;
  const subject = ruleName(server, tool.name);
  const name = exposedName(server, tool.name);
  return {
    name,
    ruleName: subject,
    description: tool.description ?? tool.title ?? `The tool ${tool.name} of the server ${server}.`,
    parameters: Type.Unsafe(parametersOf(tool.inputSchema)),
    subject: () => subject,
    subjectKind: "path",
    async execute(given, { toolCallId: id, signal, update, trace }) {
      const args = isObject(given) ? given : {};
      const call: ToolCall = { type: "toolCall", id, name, arguments: args };
      const elicit = askFor?.(server, call);
      const result = await link.use((client) =>
        client.callTool(tool.name, args, {
          signal,
          timeoutMs: timeoutSeconds === undefined ? TIMEOUT_MS : timeoutSeconds * 1000,
          onProgress: (progress) => update({ content: progressText(progress) }),
          ...(elicit === undefined ? {} : { elicit }),
          ...(trace === undefined ? {} : { meta: { ...trace } }),
        }),
      );
      const { server: own } = link.agreement ?? {};
      const serverVersion = own === undefined ? {} : { serverVersion: `${own.name} ${own.version}` };
      return outputOf(result, { server, tool: tool.name, ...serverVersion });
    },
  };
}

/**
 * A tool's schema as providers accept it: an object with properties, without the name of its draft, and without references
 * to other documents, which are never fetched.
 */
function parametersOf(schema: JsonObject): JsonObject {
  const { $schema: _, ...own } = schema;
  return { properties: {}, ...withoutRemoteReferences(own), type: "object" };
}

function withoutRemoteReferences(node: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (key === "$ref" && typeof value === "string" && !value.startsWith("#")) return [];
      return [[key, copyOf(value)]];
    }),
  );
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  return isObject(value) ? withoutRemoteReferences(value) : value;
}
