import { idsOf, noteOf } from "../../core/message/notes.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Answer } from "../front-ends/answer.js";
import { clientIdOf } from "../front-ends/client-id.js";
import { partsOf, partsOfUser } from "./content.js";
import { questionMessage } from "./question.js";
import { nameTask } from "./task-id.js";
import type { A2aMessage, Artifact, Task, TaskName, TaskState, TaskStatus } from "./wire.js";
import { A2aWriter, agentMessage } from "./writer.js";

/** How much of a task a client wants. */
export interface TaskView {
  /** The most messages of its history (default: all). */
  historyLength?: number | undefined;
  /** Default: true. */
  hasArtifacts?: boolean;
}

/** A user message and what follows it, up to the next one. */
interface Turn {
  prompt: UserMessage;
  others: AgentMessage[];
  /** Whether no other user message follows. */
  isLast: boolean;
}

/** The task of a message as it is now; undefined if the session has no such message. */
export async function taskOf(
  conversation: Conversation,
  messageId: string,
  view: TaskView = {},
): Promise<Task | undefined> {
  const messages = await conversation.messages();
  const turn = turnOf(messages, messageId);
  const name = nameTask(conversation, messageId);
  if (turn !== undefined) return describe(conversation, name, turn, view);
  const queued = queuedMessage(messages, messageId);
  if (queued === undefined) return undefined;
  return {
    id: name.taskId,
    contextId: name.contextId,
    status: { state: "TASK_STATE_SUBMITTED", timestamp: timeOf(queued.timestamp) },
    ...historyOf(name, queued, view),
  };
}

/** The tasks of a session, the latest first. */
export async function tasksOf(conversation: Conversation, view: TaskView): Promise<Task[]> {
  const messages = await conversation.messages();
  const tasks: Task[] = [];
  for (const message of messages) {
    if (message.role !== "user" || message.id === undefined) continue;
    const turn = turnOf(messages, message.id);
    const name = nameTask(conversation, message.id);
    if (turn !== undefined) tasks.unshift(await describe(conversation, name, turn, view));
  }
  return tasks;
}

async function describe(
  conversation: Conversation,
  name: TaskName,
  turn: Turn,
  view: TaskView,
): Promise<Task> {
  const artifacts = view.hasArtifacts === false ? [] : artifactsOf(turn.others);
  return {
    id: name.taskId,
    contextId: name.contextId,
    status: await statusOf(conversation, name, turn),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...historyOf(name, turn.prompt, view),
  };
}

async function statusOf(
  conversation: Conversation,
  name: TaskName,
  { prompt, others, isLast }: Turn,
): Promise<TaskStatus> {
  const answer = new Answer(new A2aWriter(), prompt);
  for (const message of others) answer.addMessage(message);
  const timestamp = timeOf((others.at(-1) ?? prompt).timestamp);
  const { outcome } = answer;
  if (outcome === "done") return { state: "TASK_STATE_COMPLETED", timestamp };
  if (outcome === "aborted") return { state: "TASK_STATE_CANCELED", timestamp };
  if (outcome === "error") return failed(name, answer, timestamp);
  const pending = isLast ? await conversation.permissions.pending() : [];
  if (pending.length > 0) return waiting(name, pending, timestamp);
  if (isLast && conversation.busy) return { state: "TASK_STATE_WORKING", timestamp };
  // A run that is stopped while its tools run ends with their results.
  const state: TaskState = others.length > 0 ? "TASK_STATE_CANCELED" : "TASK_STATE_SUBMITTED";
  return { state, timestamp };
}

function failed(name: TaskName, answer: Answer<unknown>, timestamp: string): TaskStatus {
  answer.finish("error");
  const text = answer.end?.outcome === "error" ? answer.end.message : "the run failed";
  const message = agentMessage(name, `${name.taskId}.error`, [{ text }]);
  return { state: "TASK_STATE_FAILED", message, timestamp };
}

function waiting(name: TaskName, requests: readonly PermissionRequest[], timestamp: string): TaskStatus {
  return { state: "TASK_STATE_INPUT_REQUIRED", message: questionMessage(name, requests), timestamp };
}

function artifactsOf(messages: readonly AgentMessage[]): Artifact[] {
  return messages.flatMap((message) => {
    if (message.role !== "assistant" || message.id === undefined) return [];
    const parts = message.content.flatMap(partsOf);
    return parts.length === 0 ? [] : [{ artifactId: message.id, parts }];
  });
}

function historyOf(
  name: TaskName,
  prompt: UserMessage,
  { historyLength }: TaskView,
): { history?: A2aMessage[] } {
  if (historyLength === 0) return {};
  const messageId = clientIdOf(prompt) ?? prompt.id ?? "";
  return { history: [{ messageId, ...name, role: "ROLE_USER", parts: partsOfUser(prompt) }] };
}

function turnOf(messages: readonly AgentMessage[], messageId: string): Turn | undefined {
  const at = messages.findLastIndex(
    (message) => message.role === "user" && idsOf(message).includes(messageId),
  );
  const prompt = messages[at];
  if (prompt?.role !== "user") return undefined;
  const rest = messages.slice(at + 1);
  const end = rest.findIndex(({ role }) => role === "user");
  return { prompt, others: end < 0 ? rest : rest.slice(0, end), isLast: end < 0 };
}

function queuedMessage(messages: readonly AgentMessage[], messageId: string): UserMessage | undefined {
  return messages
    .flatMap((message) => {
      const note = noteOf(message);
      return note?.type === "dragoman/inbox" ? [note.data.message] : [];
    })
    .find(({ id }) => id === messageId);
}

function timeOf(timestamp: number): string {
  return new Date(timestamp).toISOString();
}
