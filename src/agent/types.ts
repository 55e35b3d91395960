import type { Static, TSchema } from "@sinclair/typebox";
import type { CallOptions, Context } from "../core/api/provider.js";
import type {
  AgentMessage,
  LiveAssistantMessageEvent,
  Loss,
  ToolCall,
  ToolResultMessage,
  UserContent,
} from "../core/types.js";

/** Hears, before the first event of an answer, what the request does not carry of the conversation. */
export type OnLosses = (losses: readonly Loss[]) => void;

/** What the loop needs of a model. `connect` of the providers gives one. */
export interface AgentModel {
  readonly provider: string;
  readonly id: string;
  /** What is known of it; a window nobody knows is never reached. */
  readonly card?: { readonly contextWindow?: number; readonly maxOutput?: number };
  stream(
    context: Context,
    options?: CallOptions & { signal?: AbortSignal; onLosses?: OnLosses },
  ): AsyncIterable<LiveAssistantMessageEvent>;
}

export interface ToolOutput<D = unknown> {
  /** What the model reads. */
  content: string | UserContent[];
  /** What programs read. */
  details?: D;
  isError?: boolean;
  /** Messages for the log that belong to this result. They are stored after the results of all calls beside it. */
  afterwards?: AgentMessage[];
}

export interface ToolRun<D = unknown> {
  toolCallId: string;
  signal: AbortSignal;
  /** Shows how far it is. Only the latest of several that nobody has taken yet is shown. */
  update(partial: ToolOutput<D>): void;
}

/**
 * Something a model can do. `parameters` is a JSON Schema; with TypeBox the arguments are typed by it.
 * A tool that throws has failed, and the model reads why.
 */
export interface Tool<P extends TSchema = TSchema, D = unknown> {
  name: string;
  description: string;
  parameters: P;
  /** Never runs beside another call of the same message. */
  sequential?: boolean;
  /** What a permission rule's pattern is matched with: a path, a command. */
  subject?(args: Static<P>): string;
  /** A path is matched as it is. Any other subject is taken for a command, in which an allowed beginning can hide more. */
  subjectKind?: "path";
  execute(args: Static<P>, run: ToolRun<D>): Promise<ToolOutput<D>>;
}

/** Looks at a call before and after it runs. */
export interface ToolHooks {
  /** Returns why the call must not run; nothing lets it run. `args` are checked, and a copy of the model's. */
  before?(
    call: ToolCall,
    args: unknown,
    tool: Tool,
    signal: AbortSignal,
  ): Promise<{ block: string } | undefined>;
  /** Returns what the model reads instead. */
  after?(call: ToolCall, result: ToolResultMessage): Promise<ToolResultMessage | undefined>;
}

/** Stores messages, and returns them as stored, with ids. Fulfilled when they are safe. */
export type Append = (messages: readonly AgentMessage[]) => Promise<readonly AgentMessage[]>;
