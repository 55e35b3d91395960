import type { JsonObject } from "../../core/json/value.js";

/** The states of a task that we report. */
export type TaskState =
  | "TASK_STATE_SUBMITTED"
  | "TASK_STATE_WORKING"
  | "TASK_STATE_INPUT_REQUIRED"
  | "TASK_STATE_COMPLETED"
  | "TASK_STATE_FAILED"
  | "TASK_STATE_CANCELED";

export const STATES: readonly TaskState[] = [
  "TASK_STATE_SUBMITTED",
  "TASK_STATE_WORKING",
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
];

/** A part of a message or an artifact: `text`, `raw` (base64), `url` or `data`. */
export type A2aPart = JsonObject;

export interface A2aMessage {
  messageId: string;
  contextId: string;
  taskId: string;
  role: "ROLE_USER" | "ROLE_AGENT";
  parts: A2aPart[];
}

export interface Artifact {
  artifactId: string;
  parts: A2aPart[];
}

export interface TaskStatus {
  state: TaskState;
  message?: A2aMessage;
  timestamp: string;
}

export interface Task {
  id: string;
  contextId: string;
  status: TaskStatus;
  artifacts?: Artifact[];
  history?: A2aMessage[];
}

/** Which task something is about. */
export interface TaskName {
  taskId: string;
  contextId: string;
}

/** One event of a stream. The names of the task are added for each client. */
export type StreamChunk =
  | { statusUpdate: { status: TaskStatus } }
  | { artifactUpdate: { artifact: Artifact; append: boolean; lastChunk: boolean } }
  /** The stream ends, the task does not. */
  | { failure: { message: string } };

/** Whether nothing more happens in a task. */
export function isTerminal(state: TaskState): boolean {
  return state === "TASK_STATE_COMPLETED" || state === "TASK_STATE_FAILED" || state === "TASK_STATE_CANCELED";
}
