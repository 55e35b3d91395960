import { idsOf, noteOf } from "../../core/message/notes.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { AgentMessage, UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Answer } from "../front-ends/answer.js";
import { clientIdOf } from "../front-ends/client-id.js";
import { partsOf, partsOfUser } from "./content.js";
import { questionMessage } from "./question.js";
import { nameTask } from "./task-id.js";
import type { A2aMessage, Artifact, Task, TaskName, TaskStatus } from "./wire.js";
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

/** A session whose tasks are read, and whether a run in it has not ended. */
export interface TaskSource {
  conversation: Conversation;
  isDue(): Promise<boolean>;
}

/** The task of a message as it is now; undefined if the session has no such message. */
export async function taskOf(
  source: TaskSource,
  messageId: string,
  view: TaskView = {},
): Promise<Task | undefined> {
  const { conversation } = source;
  const messages = await conversation.messages();
  const turn = turnsIn(messages).findLast(({ prompt }) => idsOf(prompt).includes(messageId));
  const name = nameTask(conversation, messageId);
  if (turn !== undefined) return describe(source, name, turn, view);
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
export async function tasksOf(source: TaskSource, view: TaskView): Promise<Task[]> {
  const { conversation } = source;
  const tasks: Task[] = [];
  for (const turn of turnsIn(await conversation.messages())) {
    const { id } = turn.prompt;
    if (id !== undefined) tasks.push(await describe(source, nameTask(conversation, id), turn, view));
  }
  return tasks.reverse();
}

async function describe(source: TaskSource, name: TaskName, turn: Turn, view: TaskView): Promise<Task> {
  const artifacts = view.hasArtifacts === false ? [] : artifactsOf(turn.others);
  return {
    id: name.taskId,
    contextId: name.contextId,
    status: await statusOf(source, name, turn),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    ...historyOf(name, turn.prompt, view),
  };
}

async function statusOf(
  { conversation, isDue }: TaskSource,
  name: TaskName,
  { prompt, others, isLast }: Turn,
): Promise<TaskStatus> {
  const answer = new Answer(new A2aWriter(), prompt);
  for (const message of others) answer.addMessage(message);
  // A note, such as one with the losses, may follow the answer.
  const last = others.findLast(({ role }) => role !== "custom") ?? prompt;
  const timestamp = timeOf(last.timestamp);
  const { outcome } = answer;
  if (outcome === "done") return { state: "TASK_STATE_COMPLETED", timestamp };
  if (outcome === "aborted") return { state: "TASK_STATE_CANCELED", timestamp };
  if (outcome === "error") return failed(name, answer, timestamp);
  const pending = isLast ? await conversation.permissions.pending() : [];
  if (pending.length > 0) return waiting(name, pending, timestamp);
  if (isLast && conversation.busy) return { state: "TASK_STATE_WORKING", timestamp };
  if (others.length === 0) return { state: "TASK_STATE_SUBMITTED", timestamp };
  // A run that is stopped while its tools run ends with their results. One whose process has died is resumed.
  const isResumed = isLast && (await isDue());
  return { state: isResumed ? "TASK_STATE_WORKING" : "TASK_STATE_CANCELED", timestamp };
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

function turnsIn(messages: readonly AgentMessage[]): Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role !== "user") last?.others.push(message);
    else {
      if (last !== undefined) last.isLast = false;
      turns.push({ prompt: message, others: [], isLast: true });
    }
  }
  return turns;
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
