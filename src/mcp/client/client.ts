import { DragomanError } from "../../core/error.js";
import { isObject, type JsonObject } from "../../core/json/value.js";
import { mcp } from "../checks.js";
import { ownName } from "../own-name.js";
import { ERROR_CODES, type Era } from "../protocol.js";
import type {
  McpCallResult,
  McpElicitParams,
  McpElicitResult,
  McpPrompt,
  McpPromptResult,
  McpReadResult,
  McpResource,
  McpTool,
} from "../wire.js";
import { Connection, type RequestOptions, ServerError } from "./connection.js";
import { type Agreement, negotiate, wrongResult } from "./negotiate.js";
import { headersFor, type ParameterHeader, parameterHeaders } from "./parameter-headers.js";
import type { Transport, TransportEvents } from "./transport.js";

/** Asks the person. */
export type Elicit = (question: McpElicitParams, signal: AbortSignal) => Promise<McpElicitResult>;

export type ListName = "tools" | "prompts" | "resources";

export interface ClientOptions {
  open(events: TransportEvents): Transport;
  era?: Era | "auto";
  /** Called when a list of the server has changed. */
  onChange?(list: ListName): void;
  /** The connection is lost, and why. */
  onClose?(why: Error): void;
  /** A line for the log. */
  onLine?(line: string): void;
}

export interface CallOptions extends Omit<RequestOptions, "headers" | "onQuestion"> {
  elicit?: Elicit;
  /** Fields for `_meta`, such as the place in a trace. */
  meta?: JsonObject;
}

const MAX_PAGES = 100;
/** How often a server may ask for input before it answers a request. */
const MAX_ROUNDS = 20;

/** Sampling, roots and tasks are not supported. */
const CAPABILITIES = { elicitation: { form: {}, url: {} } };

/**
 * A connection to an MCP server, of either era.
 *
 * @example
 * const client = await McpClient.connect({ open: (events) => new StdioTransport(command, events) });
 * const { content } = await client.callTool("search", { query: "x" });
 */
export class McpClient {
  readonly agreement: Agreement;
  readonly #connection: Connection;
  /** The parameters of each tool that are repeated in headers. */
  readonly #headers = new Map<string, readonly ParameterHeader[]>();

  private constructor(connection: Connection, agreement: Agreement) {
    this.#connection = connection;
    this.agreement = agreement;
  }

  static async connect(options: ClientOptions): Promise<McpClient> {
    const { open, era = "auto", onChange, onClose, onLine } = options;
    const connection = new Connection(open, {
      onNotification: (method, params) => {
        const list = changedList(method);
        if (list !== undefined) onChange?.(list);
        else if (method === "notifications/message") onLine?.(logLine(params));
      },
      onClose: (why) => onClose?.(why),
      onLine: (line) => onLine?.(line),
    });
    try {
      const proposal = { era, client: ownName(), capabilities: CAPABILITIES };
      const client = new McpClient(connection, await negotiate(connection, proposal));
      if (onChange !== undefined) client.#subscribe(onLine);
      return client;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** All tools. One that is not valid is left out, and `onProblem` is called with the reason. */
  async listTools(onProblem: (problem: string) => void = () => undefined): Promise<McpTool[]> {
    const tools: McpTool[] = [];
    this.#headers.clear();
    for (const tool of await this.#list("tools", onProblem)) {
      if (!mcp.is("McpTool", tool)) {
        onProblem(`a tool is not valid: ${shortened(tool)}`);
        continue;
      }
      if (this.#usesHeaders) {
        const marked = parameterHeaders(tool.inputSchema);
        if ("problem" in marked) {
          onProblem(`the tool ${JSON.stringify(tool.name)} is not valid: ${marked.problem}`);
          continue;
        }
        this.#headers.set(tool.name, marked.headers);
      }
      tools.push(tool);
    }
    return tools;
  }

  async callTool(name: string, args: JsonObject, options: CallOptions = {}): Promise<McpCallResult> {
    const headers = headersFor(this.#headers.get(name) ?? [], args);
    const { meta, ...request } = options;
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    const result = await this.#request("tools/call", params, request, headers);
    return mcp.is("McpCallResult", result) ? result : this.#fail("tools/call", result);
  }

  async listResources(onProblem: (problem: string) => void = () => undefined): Promise<McpResource[]> {
    const resources = await this.#list("resources", onProblem);
    return resources.filter((resource): resource is McpResource => mcp.is("McpResource", resource));
  }

  async readResource(uri: string, options: CallOptions = {}): Promise<McpReadResult> {
    const result = await this.#request("resources/read", { uri }, options);
    return mcp.is("McpReadResult", result) ? result : this.#fail("resources/read", result);
  }

  async listPrompts(onProblem: (problem: string) => void = () => undefined): Promise<McpPrompt[]> {
    const prompts = await this.#list("prompts", onProblem);
    return prompts.filter((prompt): prompt is McpPrompt => mcp.is("McpPrompt", prompt));
  }

  async getPrompt(
    name: string,
    args: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<McpPromptResult> {
    const result = await this.#request("prompts/get", { name, arguments: args }, options);
    return mcp.is("McpPromptResult", result) ? result : this.#fail("prompts/get", result);
  }

  get #usesHeaders(): boolean {
    return this.agreement.era === "modern" && this.#connection.kind === "http";
  }

  #fail(method: string, result: unknown): never {
    throw wrongResult(method, result);
  }

  async #list(list: ListName, onProblem: (problem: string) => void): Promise<unknown[]> {
    if (this.agreement.capabilities[list] === undefined) return [];
    const members: unknown[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const result = await this.#request(`${list}/list`, cursor === undefined ? {} : { cursor }, {});
      const found = result[list];
      if (!Array.isArray(found)) throw wrongResult(`${list}/list`, result);
      members.push(...found);
      const next = result["nextCursor"];
      if (typeof next !== "string") return members;
      cursor = next;
    }
    onProblem(`the list of ${list} has more than ${MAX_PAGES} pages; the rest is not used`);
    return members;
  }

  /** A modern server can ask for input first: the request is then repeated with it. */
  async #request(
    method: string,
    params: JsonObject,
    { elicit, ...options }: CallOptions,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<JsonObject> {
    const onQuestion = elicit === undefined ? undefined : questionsTo(elicit);
    const asked: RequestOptions = {
      ...options,
      headers,
      ...(onQuestion === undefined ? {} : { onQuestion }),
    };
    let input: JsonObject = {};
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const result = await this.#connection.request(method, { ...params, ...input }, asked);
      const type = result["resultType"];
      if (type === undefined || type === "complete") return result;
      if (!mcp.is("McpInputRequired", result)) {
        throw new DragomanError(
          "mcp/bad-message",
          `the answer to ${method} has the unknown type ${JSON.stringify(type)}`,
        );
      }
      const { inputRequests = {}, requestState } = result;
      const inputResponses: JsonObject = {};
      const signal = options.signal ?? new AbortController().signal;
      for (const [key, request] of Object.entries(inputRequests)) {
        if (onQuestion === undefined) throw unsupported(request.method);
        inputResponses[key] = await onQuestion(request.method, request.params ?? {}, signal);
      }
      input = { inputResponses, ...(requestState === undefined ? {} : { requestState }) };
    }
    throw new DragomanError("mcp/failed", `the server asked for input more than ${MAX_ROUNDS} times`);
  }

  /** A modern server reports changes only to those who ask; a legacy one to everyone. */
  #subscribe(onLine: ClientOptions["onLine"]): void {
    const { era, capabilities } = this.agreement;
    if (era !== "modern") return;
    const notifications = {
      ...(capabilities.tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(capabilities.prompts?.listChanged === true ? { promptsListChanged: true } : {}),
      ...(capabilities.resources?.listChanged === true ? { resourcesListChanged: true } : {}),
    };
    if (Object.keys(notifications).length === 0) return;
    const forever = { timeoutMs: Number.MAX_SAFE_INTEGER, hardTimeoutMs: Number.MAX_SAFE_INTEGER };
    this.#connection
      .request("subscriptions/listen", { notifications }, forever)
      .then(() => onLine?.("the server ended the subscription to its changes"))
      .catch((error: Error) => onLine?.(`no longer told about changes: ${error.message}`));
  }
}

function changedList(method: string): ListName | undefined {
  switch (method) {
    case "notifications/tools/list_changed":
      return "tools";
    case "notifications/prompts/list_changed":
      return "prompts";
    case "notifications/resources/list_changed":
      return "resources";
    default:
      return undefined;
  }
}

function questionsTo(elicit: Elicit): NonNullable<RequestOptions["onQuestion"]> {
  return async (method, params, signal) => {
    if (method !== "elicitation/create") throw unsupported(method);
    if (!mcp.is("McpElicitParams", params)) {
      throw new ServerError({ code: ERROR_CODES.invalidParams, message: "the question is not valid" });
    }
    return elicit(params, signal);
  };
}

function unsupported(method: string): ServerError {
  return new ServerError({ code: ERROR_CODES.noMethod, message: `the client does not support ${method}` });
}

/** A server's own log message. */
function logLine({ level, data }: JsonObject): string {
  return `${typeof level === "string" ? level : "log"}: ${typeof data === "string" ? data : shortened(data)}`;
}

function shortened(value: unknown): string {
  const text = isObject(value) || Array.isArray(value) ? JSON.stringify(value) : String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
