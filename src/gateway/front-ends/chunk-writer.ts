import type { PermissionRequest } from "../../core/message/question-notes.js";
import type {
  AssistantContent,
  AssistantMessage,
  ToolCall,
  ToolResultMessage,
  Usage,
} from "../../core/types.js";

/** A block of text in a turn. Its id is the same while it streams and when it is replayed. */
export interface Block {
  kind: "text" | "thinking";
  /** `<message id>:<index>` */
  id: string;
}

/** A tool call in a turn. */
export interface CallName {
  id: string;
  name: string;
  /** The id of the block that it would be, if it were one. */
  blockId: string;
}

/** A turn of the agent: one message of the model. */
export type Turn = Pick<AssistantMessage, "timestamp" | "model"> & { id: string };

/** How the answer to a message ended. */
export type AnswerEnd =
  /** `usage` is that of all turns; `last` is the last turn. */
  | { outcome: "done"; last: AssistantMessage | undefined; usage: Usage }
  | { outcome: "aborted" }
  | { outcome: "error"; message: string };

/** A protocol's chunks for each step of one answer. They are the same for all clients, whenever they join. */
export interface ChunkWriter<C> {
  beginTurn(turn: Turn): C[];
  /** Emitted when the next turn begins: the results of its calls belong to a turn. */
  endTurn(turn: Turn): C[];
  openBlock(block: Block): C[];
  appendText(block: Block, delta: string): C[];
  closeBlock(block: Block): C[];
  openCall(call: CallName): C[];
  appendArguments(call: CallName, delta: string): C[];
  closeCall(call: CallName, whole: ToolCall): C[];
  /** The answer ended before the call was complete. */
  dropCall(call: CallName): C[];
  /** A block that arrives whole, such as an image. */
  wholeBlock(block: AssistantContent, id: string): C[];
  /** The call begins to run, or waits for a permission. */
  startTool(toolCallId: string): C[];
  /** Progress: replaces earlier progress. */
  updateTool(result: ToolResultMessage): C[];
  endTool(result: ToolResultMessage): C[];
  ask(request: PermissionRequest): C[];
  /** Two chunks of the same block as one. */
  join(last: C, next: C): C | undefined;
}

/** The chunks around an answer, for one client. */
export interface Envelope<C> {
  /** Sent at once. */
  open(): C[];
  /** Sent before the answer's first chunk. */
  begin(first: Turn): C[];
  /** The answer waits for a permission, and the stream ends. */
  pause(requests: readonly PermissionRequest[], turn: Turn | undefined): C[];
  /** `turn` is the last one, if it was not ended. */
  close(end: AnswerEnd, turn: Turn | undefined): C[];
  /** The stream ends before the answer does (default: like an answer that failed). */
  fail?(message: string): C[];
  /** After everything else, such as `data: [DONE]`. */
  terminator: string;
}
