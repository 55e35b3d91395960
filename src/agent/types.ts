import type { Static, TSchema } from "@sinclair/typebox";
import type { CallOptions, Context } from "../core/api/provider.js";
import type { TraceContext } from "../core/trace-context.js";
import type {
  AgentMessage,
  LiveAssistantMessageEvent,
  Loss,
  ToolCall,
  ToolResultMessage,
  UserContent,
} from "../core/types.js";

/** Called before an answer's first event with what the request could not represent of the conversation. */
export type OnLosses = (losses: readonly Loss[]) => void;

/** What the loop needs of a model; `connect` of the providers returns one. */
export interface AgentModel {
  readonly provider: string;
  readonly id: string;
  /** Known limits; an unknown window is never reached. */
  readonly card?: { readonly contextWindow?: number; readonly maxOutput?: number };
  stream(
    context: Context,
    options?: CallOptions & { signal?: AbortSignal; onLosses?: OnLosses },
  ): AsyncIterable<LiveAssistantMessageEvent>;
}

export interface ToolOutput<D = unknown> {
  /** For the model. */
  content: string | UserContent[];
  /** For programs. */
  details?: D;
  isError?: boolean;
  /** Messages for the log that belong to this result; stored after the results of all calls of the same answer. */
  afterwards?: AgentMessage[];
}

export interface ToolRun<D = unknown> {
  toolCallId: string;
  signal: AbortSignal;
  /** Shows progress. Of several updates that were not emitted yet, only the latest is. */
  update(partial: ToolOutput<D>): void;
  /** The call's place in a trace, for other programs that it calls (default: it is not traced). */
  trace?: TraceContext;
}

/**
 * A tool for a model. `parameters` is a JSON Schema; with TypeBox it types the arguments.
 * A tool that throws has failed, and the model reads why.
 */
export interface Tool<P extends TSchema = TSchema, D = unknown> {
  name: string;
  description: string;
  parameters: P;
  /** Another name that permission rules can use, such as `github/create_issue` for a tool of an MCP server. */
  ruleName?: string;
  /** Its arguments are validated where it runs, and not here. */
  validatesItself?: true;
  /** Never runs concurrently with another call of the same message. */
  sequential?: boolean;
  /** What a permission rule's pattern is matched with: a path, a command. */
  subject?(args: Static<P>): string;
  /** A path is matched literally. Any other subject is a command, in which an allowed beginning can hide more. */
  subjectKind?: "path";
  execute(args: Static<P>, run: ToolRun<D>): Promise<ToolOutput<D>>;
}

/** Inspects a call before and after it runs. */
export interface ToolHooks {
  /** Returns why the call must not run; undefined allows it. `args` is a validated copy of the model's arguments. */
  before?(
    call: ToolCall,
    args: unknown,
    tool: Tool,
    signal: AbortSignal,
  ): Promise<{ block: string } | undefined>;
  /** Awaited when all calls that run next were inspected, before any of them runs. If it rejects, none of them runs. */
  start?(): Promise<void>;
  /** Returns a result to replace this one. */
  after?(call: ToolCall, result: ToolResultMessage): Promise<ToolResultMessage | undefined>;
}

/** Stores messages and returns them as stored, with ids. */
export type Append = (messages: readonly AgentMessage[]) => Promise<readonly AgentMessage[]>;
