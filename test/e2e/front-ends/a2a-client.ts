import { type Artifact, Role, type StreamResponse, type Task, TaskState } from "@a2a-js/sdk";
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from "@a2a-js/sdk/client";

interface ClientSettings {
  agent?: string;
  /** Makes it speak 0.3. */
  legacy?: boolean;
  /** Receives the name of each method that it calls. */
  methods?: string[];
}

/** The official client, with a token. */
export async function a2aClient(
  url: string,
  token: string,
  { agent = "main", legacy = false, methods = [] }: ClientSettings = {},
): Promise<Client> {
  const legacyCompat = { enabled: legacy };
  const fetchImpl: typeof fetch = async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("authorization", `Bearer ${token}`);
    if (typeof init?.body === "string") methods.push(JSON.parse(init.body).method);
    // A client of 0.3 does not know the header.
    if (legacy) headers.delete("a2a-version");
    return fetch(input, { ...init, headers });
  };
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl, legacyCompat })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl, legacyCompat }),
  });
  const factory = new ClientFactory(options);
  if (!legacy) return factory.createFromUrl(`${url}/a2a/${agent}/`);
  const card = await (await fetchImpl(`${url}/a2a/${agent}/.well-known/agent-card.json`)).json();
  // The card also offers 1.0; an old client sees only what it knows.
  const { supportedInterfaces: _, ...old } = card as Record<string, unknown>;
  return factory.createFromAgentCard(new DefaultAgentCardResolver({ legacyCompat }).normalizeAgentCard(old));
}

/** A message of the user, as `sendMessage` wants it. */
export function say(
  text: string,
  { contextId = "", taskId = "", messageId = String(crypto.randomUUID()), data = undefined as unknown } = {},
) {
  const content =
    data === undefined ? { $case: "text" as const, value: text } : { $case: "data" as const, value: data };
  return {
    tenant: "",
    metadata: undefined,
    configuration: undefined,
    message: {
      messageId,
      contextId,
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content, metadata: undefined, filename: "", mediaType: "" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
  };
}

export const byId = (id: string) => ({ tenant: "", id, metadata: undefined });

/** A task as a client has it that applies every event of a stream. */
export class FollowedTask {
  id = "";
  contextId = "";
  readonly states: string[] = [];
  readonly artifacts = new Map<string, string>();
  question: unknown;
  #onEvent = () => {};

  /** The text of each artifact, in order. */
  get texts(): string[] {
    return [...this.artifacts.values()];
  }

  get state(): string | undefined {
    return this.states.at(-1);
  }

  async follow(stream: AsyncIterable<StreamResponse>, until: () => boolean = () => false): Promise<this> {
    for await (const { payload } of stream) {
      if (payload === undefined) throw new Error("an empty event");
      switch (payload.$case) {
        case "task":
          this.accept(payload.value);
          break;
        case "statusUpdate":
          this.#setState(payload.value.status?.state);
          this.question = payload.value.status?.message?.parts.map(({ content }) => content?.value);
          break;
        case "artifactUpdate":
          this.#add(payload.value.artifact, payload.value.append);
          break;
        default:
          throw new Error(`an unexpected ${payload.$case}`);
      }
      this.#onEvent();
      if (until()) break;
    }
    return this;
  }

  /** Fulfilled when the text of the last artifact is this. */
  async has(text: string): Promise<void> {
    while (this.texts.at(-1) !== text) {
      await new Promise<void>((resolve) => {
        this.#onEvent = resolve;
      });
    }
  }

  /** The task as the server describes it. */
  accept(task: Task): void {
    this.id = task.id;
    this.contextId = task.contextId;
    this.#setState(task.status?.state);
    for (const artifact of task.artifacts) this.#add(artifact, false);
  }

  #setState(state: TaskState | undefined): void {
    const name = TaskState[state ?? TaskState.TASK_STATE_UNSPECIFIED].replace("TASK_STATE_", "");
    if (this.state !== name) this.states.push(name);
  }

  #add(artifact: Artifact | undefined, append: boolean): void {
    if (artifact === undefined) throw new Error("no artifact");
    const before = append ? (this.artifacts.get(artifact.artifactId) ?? "") : "";
    this.artifacts.set(artifact.artifactId, before + textOf(artifact));
  }
}

export function textOf({ parts }: Pick<Artifact, "parts">): string {
  return parts.map(({ content }) => (content?.$case === "text" ? content.value : "")).join("");
}

/** The result of `sendMessage`, which is a task. */
export function asTask(result: unknown): Task {
  if (typeof result !== "object" || result === null || !("status" in result))
    throw new Error("expected a task");
  return result as Task;
}
