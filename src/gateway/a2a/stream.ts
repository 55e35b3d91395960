import { JSON_RPC_CODES } from "../../core/json/json-rpc-codes.js";
import type { JsonObject } from "../../core/json/value.js";
import { framesOf, textOf } from "../front-ends/event-stream.js";
import type { BodyPiece, HttpReply } from "../types.js";
import { legacyResult } from "./legacy.js";
import type { A2aRequest } from "./request.js";
import type { StreamChunk, Task, TaskName } from "./wire.js";

const DATA = "data: ";

/** The reply to a request: a task, then its updates. Each is an answer to the request, with its id. */
export function taskStream(request: A2aRequest, task: Task, reply: HttpReply): HttpReply {
  const name = { taskId: task.id, contextId: task.contextId };
  return { ...reply, stream: addressed(request, task, name, reply.stream ?? noFrames()) };
}

async function* addressed(
  request: A2aRequest,
  task: Task,
  name: TaskName,
  frames: AsyncIterable<BodyPiece>,
): AsyncGenerator<BodyPiece> {
  yield framesOf([resultOf(request, { task })]);
  for await (const frame of frames) {
    const lines = textOf(frame).split("\n");
    yield lines.map((line) => (line.startsWith(DATA) ? addressedLine(request, name, line) : line)).join("\n");
  }
}

function addressedLine(request: A2aRequest, name: TaskName, line: string): string {
  const chunk: StreamChunk = JSON.parse(line.slice(DATA.length));
  return `${DATA}${JSON.stringify(answerOf(request, name, chunk))}`;
}

function answerOf(request: A2aRequest, name: TaskName, chunk: StreamChunk): object {
  if ("failure" in chunk) {
    const { message } = chunk.failure;
    return { jsonrpc: "2.0", id: request.id, error: { code: JSON_RPC_CODES.internal, message } };
  }
  const named =
    "statusUpdate" in chunk
      ? { statusUpdate: { ...name, ...chunk.statusUpdate } }
      : { artifactUpdate: { ...name, ...chunk.artifactUpdate } };
  return resultOf(request, named);
}

/** The answer to a request, in the version that the client speaks. */
export function resultOf({ id, isLegacy }: A2aRequest, result: JsonObject): object {
  return { jsonrpc: "2.0", id, result: isLegacy ? legacyResult(result) : result };
}

async function* noFrames(): AsyncGenerator<string> {}
