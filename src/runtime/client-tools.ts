import { Type } from "@sinclair/typebox";
import type { Tool, ToolHooks } from "../agent/types.js";
import type { ToolSpec } from "../core/api/provider.js";
import type { FormContent } from "../core/message/question.js";
import type { Loss, Question, ToolCall, UserMessage } from "../core/types.js";
import type { Permissions } from "./permissions.js";
import { sentMark } from "./sent-mark.js";

type Verdict = Awaited<ReturnType<NonNullable<ToolHooks["before"]>>>;

/**
 * Tools that the sender of a message runs itself, such as a page. A call is a question for its result, in the log like any
 * permission request: the client can answer it after a restart, and the model gets the result once.
 */
export class ClientTools {
  readonly #permissions: Pick<Permissions, "canAsk" | "request">;
  readonly #tools = new WeakMap<UserMessage, readonly Tool[]>();
  readonly #known = new WeakSet<Tool>();
  readonly #results = new Map<string, FormContent>();

  constructor(permissions: Pick<Permissions, "canAsk" | "request">) {
    this.#permissions = permissions;
  }

  /** Whether the client runs it. */
  has(tool: Tool): boolean {
    return this.#known.has(tool);
  }

  /** The tools that came with a message, without those whose names the agent uses itself. */
  toolsFor(
    prompt: UserMessage,
    own: readonly Tool[],
    onLosses: (losses: readonly Loss[]) => void,
  ): readonly Tool[] {
    const known = this.#tools.get(prompt);
    if (known !== undefined) return known;
    const taken = new Set(own.map(({ name }) => name));
    const specs = sentMark(prompt).tools ?? [];
    const losses = specs.flatMap(({ name }, index) => (taken.has(name) ? [nameTaken(name, index)] : []));
    if (losses.length > 0) onLosses(losses);
    const tools = specs.filter(({ name }) => !taken.has(name)).map((spec) => this.#toolOf(spec));
    this.#tools.set(prompt, tools);
    return tools;
  }

  /** Waits for the client's result. Returns why there is none; undefined if the call can return it. */
  async ask(call: ToolCall, signal: AbortSignal): Promise<Verdict> {
    const why = (reason: string) => ({ block: `"${call.name}" runs in the client, ${reason}` });
    if (!this.#permissions.canAsk) return why("and no client is connected");
    const question = questionFor(call);
    const { end, content } = await this.#permissions.request(
      { toolCall: call, question, isResumable: true },
      signal,
    );
    if (content !== undefined) {
      this.#results.set(call.id, content);
      return undefined;
    }
    return why(end === "never" ? "which did not run it" : "which did not return a result in time");
  }

  #toolOf({ name, description, parameters }: ToolSpec): Tool {
    const tool: Tool = {
      name,
      description,
      parameters: Type.Unsafe(parameters),
      validatesItself: true,
      execute: async (_, { toolCallId }) => {
        const { result = "", isError = false } = this.#results.get(toolCallId) ?? {};
        this.#results.delete(toolCallId);
        return { content: String(result), isError: isError === true };
      },
    };
    this.#known.add(tool);
    return tool;
  }
}

function questionFor({ name }: ToolCall): Question {
  return {
    server: "the client",
    message: `What has "${name}" returned?`,
    fields: [
      { name: "result", title: "Result", type: "text", required: true },
      { name: "isError", title: "The call failed", type: "boolean", required: false, default: false },
    ],
    asksResult: true,
  };
}

function nameTaken(name: string, index: number): Loss {
  const why = "the agent has a tool with this name";
  return { at: `/tools/${index}`, what: `the client's tool "${name}"`, why, severity: "dropped" };
}
