import { newId } from "../../core/ids.js";
import { isString, type JsonObject } from "../../core/json/value.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { UserMessage } from "../../core/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { AnswerStreams } from "../front-ends/answer-streams.js";
import { isNamed } from "../front-ends/client-id.js";
import { whileLocated } from "../front-ends/located-run.js";
import { placeMessage } from "../front-ends/place-message.js";
import { findThread, openThread } from "../front-ends/thread.js";
import { scopeNeeded } from "../refusals.js";
import { conversationNamed } from "../session-name.js";
import { type Gateway, type HttpReply, type HttpRequest, RefusedError } from "../types.js";
import { readParts } from "./content.js";
import { A2aError, invalidParams, taskNotFound } from "./errors.js";
import { readAnswer } from "./question.js";
import { type A2aRequest, numberIn, readMessage, type SentMessage, textIn } from "./request.js";
import { resultOf, taskStream } from "./stream.js";
import { type TaskSource, type TaskView, taskOf, tasksOf } from "./task.js";
import { nameTask, readTaskId } from "./task-id.js";
import { isTerminal, STATES, type StreamChunk, type Task } from "./wire.js";
import { A2aWriter, taskEnvelope } from "./writer.js";

const MOST_TASKS = 100;
const USUAL_TASKS = 50;

/** A request with its HTTP request. */
interface Asked {
  http: HttpRequest;
  rpc: A2aRequest;
}

/** A task whose updates are streamed. */
interface Begun {
  conversation: Conversation;
  messageId: string;
  reply: HttpReply;
}

/** The methods of A2A. A task is the answer to one message; everything about it is read from the session's log. */
export class A2aTasks {
  readonly #gateway: Gateway;
  readonly #streams: AnswerStreams<StreamChunk>;

  constructor(gateway: Gateway, silenceMs: number | undefined) {
    this.#gateway = gateway;
    this.#streams = new AnswerStreams(gateway, {
      makeWriter: () => new A2aWriter(),
      pausesFor: () => true,
      silenceMs,
    });
  }

  async answer(asked: Asked): Promise<HttpReply> {
    const { rpc } = asked;
    switch (rpc.method) {
      case "SendMessage":
        return this.#send(asked);
      case "SendStreamingMessage":
        return this.#stream(asked);
      case "GetTask":
        return this.#reply(rpc, await this.#getTask(asked));
      case "CancelTask":
        return this.#reply(rpc, await this.#cancel(asked));
      case "SubscribeToTask":
        return this.#subscribe(asked);
      case "ListTasks":
        return this.#reply(rpc, await this.#list(asked));
      default:
        throw new A2aError("noMethod", `there is no method ${JSON.stringify(rpc.method)}`);
    }
  }

  async #send(asked: Asked): Promise<HttpReply> {
    const sent = readMessage(asked.rpc.params);
    const { conversation, messageId, reply } = await this.#begin(asked, sent);
    const frames = reply.stream?.[Symbol.asyncIterator]();
    if (sent.returnsImmediately) await frames?.return?.();
    else while ((await frames?.next())?.done === false);
    const { historyLength } = sent;
    return this.#reply(asked.rpc, { task: await this.#require(conversation, messageId, { historyLength }) });
  }

  async #stream(asked: Asked): Promise<HttpReply> {
    const sent = readMessage(asked.rpc.params);
    const { conversation, messageId, reply } = await this.#begin(asked, sent);
    const { historyLength } = sent;
    const view = { historyLength, hasArtifacts: sent.taskId !== undefined };
    return taskStream(asked.rpc, asBegun(await this.#require(conversation, messageId, view)), reply);
  }

  /** Sends the message, or answers the permission requests of its task. */
  async #begin(asked: Asked, sent: SentMessage): Promise<Begun> {
    if (asked.http.caller.scope === "read") throw scopeNeeded("chat");
    return sent.taskId === undefined ? this.#begins(asked, sent) : this.#continues(asked, sent, sent.taskId);
  }

  async #begins({ http }: Asked, { messageId: clientId, contextId, parts }: SentMessage): Promise<Begun> {
    const { now, runtime } = this.#gateway;
    const content = readParts(parts);
    const agent = agentOf(http);
    const opened =
      contextId === undefined
        ? await runtime.beginAsked({ agent })
        : await openThread(this.#gateway, { agent, id: contextId, permit: http.caller });
    const message: UserMessage & { id: string } = { role: "user", content, id: newId(), timestamp: now() };
    const { conversation, sent } = await placeMessage(this.#gateway, opened, { id: clientId, message });
    const known = (await conversation.messages()).findLast(
      (stored) => stored.role === "user" && isNamed(stored, clientId),
    );
    const messageId = known?.id ?? message.id;
    const envelope = taskEnvelope(nameTask(conversation, messageId), now);
    const reply = await this.#streams.send({ request: http, conversation, envelope }, sent);
    return { conversation, messageId, reply };
  }

  async #continues({ http }: Asked, { contextId, parts }: SentMessage, taskId: string): Promise<Begun> {
    const { conversation, messageId } = await this.#find(http, taskId);
    const task = await this.#require(conversation, messageId, {});
    if (contextId !== undefined && contextId !== task.contextId) {
      throw invalidParams("message.contextId is not the context of the task");
    }
    if (task.status.state !== "TASK_STATE_INPUT_REQUIRED") {
      throw new A2aError(
        "unsupportedOperation",
        "the task does not wait for input; send the message without taskId",
      );
    }
    // Answering permission requests needs the scope that it needs everywhere.
    if (http.caller.scope !== "admin") throw scopeNeeded("admin");
    const { answer, values, requestId } = readAnswer(parts);
    const open = await conversation.permissions.pending();
    const pending = requestId === undefined ? open : open.filter(({ id }) => id === requestId);
    if (pending.length === 0) throw invalidParams("the permission request is not open any more");
    const toolCallIds = new Set(pending.map(({ toolCall }) => toolCall.id));
    const requestIds = new Set(pending.map(({ id }) => id));
    const envelope = taskEnvelope(nameTask(conversation, messageId), this.#gateway.now);
    const stream = { request: http, conversation, envelope };
    const answered = { toolCallIds, has: ({ id }: PermissionRequest) => requestIds.has(id) };
    const reply = await this.#streams.resume(stream, answered, async () => {
      for (const id of requestIds)
        await conversation.permissions.answer(id, answer, { values, by: http.caller.token });
    });
    return { conversation, messageId, reply };
  }

  async #getTask({ http, rpc: { params } }: Asked): Promise<Task> {
    const { conversation, messageId } = await this.#find(http, params["id"]);
    return this.#require(conversation, messageId, { historyLength: numberIn(params["historyLength"]) });
  }

  async #cancel({ http, rpc: { params } }: Asked): Promise<Task> {
    if (http.caller.scope === "read") throw scopeNeeded("chat");
    const { conversation, messageId } = await this.#find(http, params["id"]);
    const { status } = await this.#require(conversation, messageId, {});
    if (isTerminal(status.state)) throw new A2aError("taskNotCancelable", "the task has ended");
    if (status.state === "TASK_STATE_SUBMITTED") {
      throw new A2aError(
        "taskNotCancelable",
        "the agent has not read the message yet; cancel the task before it",
      );
    }
    await whileLocated(conversation, async () => {
      const ended = untilNext(conversation);
      conversation.abort();
      await ended;
    });
    return this.#require(conversation, messageId, {});
  }

  async #subscribe({ http, rpc }: Asked): Promise<HttpReply> {
    const { conversation, messageId } = await this.#find(http, rpc.params["id"]);
    const task = await this.#require(conversation, messageId, {});
    if (isTerminal(task.status.state)) {
      throw new A2aError("unsupportedOperation", "the task has ended; get it with GetTask");
    }
    const envelope = taskEnvelope(nameTask(conversation, messageId), this.#gateway.now);
    return taskStream(
      rpc,
      task,
      await this.#streams.follow({ request: http, conversation, envelope }, messageId),
    );
  }

  async #list({ http, rpc: { params } }: Asked): Promise<JsonObject> {
    const { contextId, status, pageToken, historyLength, includeArtifacts, statusTimestampAfter } = params;
    const pageSize = numberIn(params["pageSize"]) ?? USUAL_TASKS;
    if (pageSize < 1 || pageSize > MOST_TASKS)
      throw invalidParams(`pageSize must be between 1 and ${MOST_TASKS}`);
    const state = textIn(status);
    if (state !== undefined && !STATES.some((known) => known === state))
      throw invalidParams(`unknown status ${state}`);
    const id = textIn(contextId);
    if (id === undefined) throw invalidParams("contextId is missing: tasks are listed for one context");
    const view = { historyLength: numberIn(historyLength), hasArtifacts: includeArtifacts === true };
    const name = { agent: agentOf(http), id, permit: http.caller };
    const conversation = await findThread(this.#gateway, name);
    const all = conversation === undefined ? [] : await tasksOf(this.#source(conversation), view);
    const after = isString(statusTimestampAfter)
      ? Date.parse(statusTimestampAfter)
      : Number.NEGATIVE_INFINITY;
    const found = all.filter(
      (task) =>
        (state === undefined || task.status.state === state) && !(Date.parse(task.status.timestamp) < after),
    );
    const start = textIn(pageToken) === undefined ? 0 : found.findIndex((task) => task.id === pageToken) + 1;
    if (textIn(pageToken) !== undefined && start === 0)
      throw invalidParams("pageToken is not from this list");
    const tasks = found.slice(start, start + pageSize);
    const hasMore = start + tasks.length < found.length;
    const nextPageToken = hasMore ? (tasks.at(-1)?.id ?? "") : "";
    return { tasks, nextPageToken, pageSize, totalSize: found.length };
  }

  async #find(http: HttpRequest, id: unknown): Promise<{ conversation: Conversation; messageId: string }> {
    const name = isString(id) ? readTaskId(id) : undefined;
    if (name === undefined) throw taskNotFound(String(id));
    try {
      const conversation = await conversationNamed(this.#gateway.runtime, name.session, http.caller);
      if ((conversation.session.header.agent ?? "main") !== agentOf(http)) throw taskNotFound(String(id));
      return { conversation, messageId: name.messageId };
    } catch (error) {
      if (isNotFound(error)) throw taskNotFound(String(id));
      throw error;
    }
  }

  async #require(conversation: Conversation, messageId: string, view: TaskView): Promise<Task> {
    const task = await taskOf(this.#source(conversation), messageId, view);
    if (task === undefined) throw taskNotFound(nameTask(conversation, messageId).taskId);
    return task;
  }

  #source(conversation: Conversation): TaskSource {
    const { due } = this.#gateway.runtime.store;
    return { conversation, isDue: () => due.has(conversation.session.id) };
  }

  #reply(rpc: A2aRequest, result: object): HttpReply {
    return { status: 200, json: resultOf(rpc, { ...result }) };
  }
}

/** The agent in the path, which the token may use. */
function agentOf({ params }: HttpRequest): string {
  return params["agent"] ?? "";
}

/** The task as it begins its stream: updates follow, also if it has ended meanwhile. */
function asBegun(task: Task): Task {
  const { timestamp } = task.status;
  return task.status.state === "TASK_STATE_SUBMITTED"
    ? task
    : { ...task, status: { state: "TASK_STATE_WORKING", timestamp } };
}

/** Fulfilled when the conversation is idle, or the agent has read its next message. */
async function untilNext(conversation: Conversation): Promise<void> {
  let unwatch = () => {};
  const read = new Promise<void>((resolve) => {
    unwatch = conversation.watch((event) => {
      if (event.type !== "agent" || event.event.type !== "message_end") return;
      if (event.event.message.role === "user") resolve();
    });
  });
  await Promise.race([read, conversation.idle()]).finally(unwatch);
}

function isNotFound(error: unknown): boolean {
  if (error instanceof RefusedError) return error.refusal.reason === "not_found";
  return error instanceof Error && "code" in error && error.code === "log/no-session";
}
