import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";

const schema = JSON.parse(
  readFileSync(
    new URL("../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json", import.meta.url),
    "utf8",
  ),
);
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(schema, "acp");

/** The schema of the response to each method of a client. */
const responses: Record<string, string> = {
  initialize: "InitializeResponse",
  authenticate: "AuthenticateResponse",
  "session/new": "NewSessionResponse",
  "session/load": "LoadSessionResponse",
  "session/resume": "ResumeSessionResponse",
  "session/list": "ListSessionsResponse",
  "session/close": "CloseSessionResponse",
  "session/set_config_option": "SetSessionConfigOptionResponse",
  "session/prompt": "PromptResponse",
};

const calls: Record<string, string> = {
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
  "elicitation/create": "CreateElicitationRequest",
  "$/cancel_request": "CancelRequestNotification",
};

/** The schema of what a client sends with each method. */
const clientCalls: Record<string, string> = {
  initialize: "InitializeRequest",
  authenticate: "AuthenticateRequest",
  "session/new": "NewSessionRequest",
  "session/load": "LoadSessionRequest",
  "session/resume": "ResumeSessionRequest",
  "session/prompt": "PromptRequest",
  "session/cancel": "CancelNotification",
};

/** Throws if a client may not send this. A response is one to `session/request_permission`. */
export function judgeClientFrame({ jsonrpc, method, params, result, error }: Frame): void {
  if (jsonrpc !== "2.0") throw new Error("not JSON-RPC 2.0");
  if (method !== undefined) check(clientCalls[method], params);
  else if (error === undefined) check("RequestPermissionResponse", result);
}

interface Frame {
  jsonrpc?: unknown;
  id?: unknown;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Judges an agent's frames by the published schema of version 1. */
export class FrameJudge {
  readonly #sent = new Map<unknown, string>();
  judged = 0;

  /** A request of the client, whose response will follow. */
  expect(id: unknown, method: string): void {
    this.#sent.set(id, method);
  }

  /** Throws if the agent may not send this frame. */
  judge(frame: Frame): void {
    if (frame.jsonrpc !== "2.0") throw new Error(`not JSON-RPC 2.0: ${JSON.stringify(frame)}`);
    this.judged++;
    if (frame.method !== undefined) check(calls[frame.method], frame.params);
    else if (frame.error !== undefined) check("Error", frame.error);
    else check(responses[this.#sent.get(frame.id) ?? ""], frame.result);
  }
}

function check(name: string | undefined, value: unknown): void {
  const validate = name === undefined ? undefined : ajv.getSchema(`acp#/$defs/${name}`);
  if (validate === undefined) throw new Error(`this may not be sent: ${JSON.stringify(value)}`);
  if (!validate(value)) throw new Error(`${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}
