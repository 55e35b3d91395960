import type { ToolSpec } from "../../core/api/provider.js";
import { isObject, isString } from "../../core/json/value.js";
import type { FormContent } from "../../core/message/question.js";
import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { Conversation } from "../../runtime/conversation.js";
import { textOf } from "../front-ends/event-stream.js";
import { badRequest } from "../refusals.js";
import type { BodyPiece } from "../types.js";

const MOST_TOOLS = 128;
/** What every provider accepts. */
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The tools that a page offers, which it runs itself. */
export function readTools(given: unknown): ToolSpec[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw badRequest("tools must be an array");
  if (given.length > MOST_TOOLS) throw badRequest(`tools can have at most ${MOST_TOOLS} entries`);
  const tools = given.map(readTool);
  if (new Set(tools.map(({ name }) => name)).size < tools.length) {
    throw badRequest("two tools have the same name");
  }
  return tools;
}

function readTool(given: unknown): ToolSpec {
  const { name, description = "", parameters } = isObject(given) ? given : {};
  if (!isString(name) || !NAME.test(name)) {
    throw badRequest("a tool needs a name of 1 to 64 letters, digits, underscores and hyphens");
  }
  if (!isString(description)) throw badRequest(`the description of the tool ${name} must be a text`);
  const schema = parameters ?? { type: "object", properties: {} };
  if (!isObject(schema)) throw badRequest(`the parameters of the tool ${name} must be a JSON Schema`);
  // Providers refuse the name of a draft.
  const { $schema: _, ...own } = schema;
  return { name, description, parameters: own };
}

/** The results after the last answer with calls. Earlier results can have the same ids. */
export function resultsIn(messages: readonly unknown[]): Map<string, FormContent> {
  const at = messages.findLastIndex((message) => isObject(message) && Array.isArray(message["toolCalls"]));
  const results = new Map<string, FormContent>();
  if (at < 0) return results;
  for (const message of messages.slice(at + 1)) {
    if (!isObject(message) || message["role"] !== "tool" || !isString(message["toolCallId"])) continue;
    const { toolCallId, content, error } = message;
    const result = isString(content) ? content : JSON.stringify(content ?? "");
    results.set(toolCallId, isString(error) ? { result: result || error, isError: true } : { result });
  }
  return results;
}

/** Whether a request waits for one of these results. */
export function isForResult(
  { question, toolCall }: PermissionRequest,
  results: ReadonlyMap<string, FormContent>,
): boolean {
  return question?.asksResult === true && results.has(toolCall.id);
}

/** The results that a page has sent, for the calls of the turn in progress. Calls of later turns can have the same ids. */
export class SentResults {
  readonly #results: ReadonlyMap<string, FormContent>;
  readonly #answered = new Set<string>();
  #isTurnOver = false;

  constructor(results: ReadonlyMap<string, FormContent>) {
    this.#results = results;
  }

  /** Whether the page has sent the result that a request waits for. */
  has(request: PermissionRequest): boolean {
    return this.#answered.has(request.id) || (!this.#isTurnOver && isForResult(request, this.#results));
  }

  /** Answers each call as soon as the agent asks for its result. */
  async answer(
    conversation: Conversation,
    { by, onFailure }: { by: string; onFailure(error: unknown): void },
  ): Promise<void> {
    const { permissions } = conversation;
    const answer = async (request: PermissionRequest) => {
      const values = this.#results.get(request.toolCall.id);
      if (values === undefined || !this.has(request)) return;
      this.#answered.add(request.id);
      await permissions.answer(request.id, "once", { values, by });
    };
    const unwatch = conversation.watch((event) => {
      if (event.type === "permission") answer(event.request).catch(onFailure);
      else if (event.type === "run_end" || (event.type === "agent" && event.event.type === "turn_end")) {
        this.#isTurnOver = true;
        unwatch();
      }
    });
    for (const request of await permissions.pending()) await answer(request);
  }
}

/** A stream without the results that the client has sent itself: it would show them twice. */
export async function* withoutResults(
  frames: AsyncIterable<BodyPiece>,
  toolCallIds: Iterable<string>,
): AsyncGenerator<string> {
  const known = new Set(toolCallIds);
  for await (const frame of frames) {
    const events = textOf(frame).split(END);
    yield events.filter((event) => !isKnownResult(event, known)).join(END);
  }
}

const END = "\n\n";
const RESULT = 'data: {"type":"TOOL_CALL_RESULT"';

function isKnownResult(event: string, known: Set<string>): boolean {
  if (!event.startsWith(RESULT)) return false;
  const { toolCallId } = JSON.parse(event.slice("data: ".length));
  return known.delete(toolCallId);
}
