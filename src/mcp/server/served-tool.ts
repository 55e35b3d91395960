import type { TSchema } from "@sinclair/typebox";
import type { Tool } from "../../agent/types.js";
import type { McpImplementation } from "../wire.js";

/** A tool that a server offers. Its `details` are the `structuredContent` of results. */
export interface ServedTool<P extends TSchema = TSchema, D = unknown> extends Tool<P, D> {
  /** The name for people. */
  title: string;
  /** The JSON Schema of `details`. */
  result?: TSchema;
  /** Whether it changes nothing. */
  readOnly: boolean;
  /** Whether a call can take long, so that the connection needs signs of life. */
  isSlow?: boolean;
}

/** What a server offers to one client. */
export interface McpService {
  info: McpImplementation;
  /** For the client's model: what the server is for. */
  instructions: string;
  tools: readonly ServedTool[];
  /** The text that the client's model reads when a tool throws. */
  explain(error: unknown): string;
}
