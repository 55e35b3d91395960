import type {
  AgentMessage,
  CustomMessage,
  PermissionAnswer,
  Question,
  QuestionNote,
  ToolCall,
} from "../types.js";
import { noteMessage, noteOf } from "./notes.js";
import type { FormContent } from "./question.js";

/** Asks whether a tool may run, or what its MCP server wants to know. */
export interface PermissionRequest {
  /** Unique, also across restarts. */
  id: string;
  toolCall: ToolCall;
  /** The subject for rules: a path or a command. */
  subject?: string;
  /** The tool is running, and its server asks this. */
  question?: Question;
  /** Unix milliseconds. */
  asked: number;
  /** Without an answer until then, the call is refused. */
  expires: number;
}

/** How a permission request ended. A run that is stopped withdraws its requests. */
export type PermissionEnd = PermissionAnswer | "expired" | "withdrawn";

/** A permission request as the log records it. */
export interface RecordedQuestion {
  request: PermissionRequest;
  /** Whether another process can run the call after the answer. */
  isResumable: boolean;
  /** Undefined while it is open. */
  end?: PermissionEnd;
  /** The result of a client's tool. */
  values?: FormContent;
  /** The call was about to run or was refused. Only its result can tell whether it ran. */
  isStarted: boolean;
}

/** The permission requests in messages of a session, in the order in which they were asked. Those of other sessions are left out. */
export function questionsIn(messages: Iterable<AgentMessage>, session: string): RecordedQuestion[] {
  const found = new Map<string, RecordedQuestion>();
  for (const message of messages) {
    const note = noteOf(message);
    if (note?.type !== "dragoman/question") continue;
    const { data } = note;
    if (data.state === "asked") {
      if (data.session === session) found.set(data.id, recorded(data, message.timestamp));
      continue;
    }
    if (data.state === "started") {
      for (const id of data.ids) {
        const question = found.get(id);
        if (question !== undefined) question.isStarted = true;
      }
      continue;
    }
    const question = found.get(data.id);
    if (question === undefined || question.end !== undefined) continue;
    question.end = data.state === "answered" ? data.answer : data.state;
    if (data.state === "answered" && data.values !== undefined) question.values = data.values;
  }
  return [...found.values()];
}

/** The requests that wait for an answer. */
export function openRequests(questions: readonly RecordedQuestion[], now: number): PermissionRequest[] {
  return questions.flatMap(({ request, end }) => (end === undefined && request.expires > now ? request : []));
}

function recorded(
  { id, toolCall, subject, question, expires, resumable }: Extract<QuestionNote, { state: "asked" }>,
  asked: number,
): RecordedQuestion {
  const request = {
    id,
    toolCall,
    ...(subject === undefined ? {} : { subject }),
    ...(question === undefined ? {} : { question }),
    asked,
    expires,
  };
  return { request, isResumable: resumable === true, isStarted: false };
}

/** The line of the log for a step of a request. Of several lines that end the same request, the log stores one. */
export function questionMessage(data: QuestionNote, timestamp: number): CustomMessage {
  const note = noteMessage({ type: "dragoman/question", data }, timestamp);
  if (data.state === "asked" || data.state === "started") return note;
  return { ...note, ext: { sent: { idempotencyKey: `question:${data.id}` } } };
}
