import { HttpAgent as HttpAgent1, type Message } from "@ag-ui/client";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { Changes, type ClientKind, inBackground, type Place, type SessionClient } from "./session-client.js";

/** What both versions of the client have. */
interface Agent {
  messages: unknown[];
  pendingInterrupts: readonly { id: string }[];
  runAgent(parameters?: object, subscriber?: object): Promise<unknown>;
  abortRun(): void;
  addMessage(message: { id: string; role: "user"; content: string }): void;
  subscribe(subscriber: object): unknown;
}

interface AgentConfig {
  url: string;
  threadId: string;
  headers: Record<string, string>;
  initialMessages: Message[];
}

type AgentOf = (config: AgentConfig) => Agent;

const agents: Readonly<Record<string, AgentOf>> = {
  "1.0.0": (config) => new HttpAgent1(config),
  "0.0.59": (config) => new HttpAgent0({ ...config, initialMessages: config.initialMessages as never }),
};

/** `@ag-ui/client` of a version, which reads a thread from the route `connect`. */
export function agUi(version: "1.0.0" | "0.0.59"): ClientKind {
  const agentOf = agents[version];
  if (agentOf === undefined) throw new Error(`no client ${version}`);
  return { name: `@ag-ui/client ${version}`, open: async (place) => new AgUiClient(place, agentOf) };
}

/** The text of the last answer: each turn's blocks are messages of their own. */
export function answerIn(messages: readonly unknown[]): string {
  const all = messages as Message[];
  const at = all.findLastIndex(({ role }) => role === "user");
  return all
    .slice(at + 1)
    .flatMap((message) => (message.role === "assistant" ? [message.content ?? ""] : []))
    .join("");
}

class AgUiClient implements SessionClient {
  readonly #place: Place;
  readonly #agentOf: AgentOf;
  readonly #changes = new Changes();
  #agent: Agent;

  constructor(place: Place, agentOf: AgentOf, route: "run" | "connect" = "run") {
    this.#place = place;
    this.#agentOf = agentOf;
    this.#agent = this.#open(route, []);
  }

  get answer(): string {
    return answerIn(this.#agent.messages);
  }

  async send(text: string): Promise<void> {
    this.#agent = this.#open("run", this.#agent.messages as Message[]);
    this.#agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
    await this.#run({});
  }

  shows(answer: string): Promise<void> {
    return this.#changes.until(() => this.answer === answer);
  }

  async approve(): Promise<void> {
    const [open] = this.#agent.pendingInterrupts;
    const payload = { approved: true };
    await this.#run({ resume: [{ interruptId: open?.id ?? "", status: "resolved", payload }] });
  }

  async stop(): Promise<void> {
    const { url, token, session } = this.#place;
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${url}/ag-ui/agent/main/stop/${session}`, { method: "POST", headers });
  }

  async reload(): Promise<SessionClient> {
    this.#agent.abortRun();
    return this.join();
  }

  async join(): Promise<SessionClient> {
    const client = new AgUiClient(this.#place, this.#agentOf, "connect");
    inBackground(client.#agent.runAgent());
    return client;
  }

  async #run(parameters: object): Promise<void> {
    let failure: string | undefined;
    const onRunErrorEvent = ({ event }: { event: { message: string } }) => {
      failure = event.message;
    };
    await this.#agent.runAgent(parameters, { onRunErrorEvent });
    if (failure !== undefined) throw new Error(failure);
  }

  #open(route: "run" | "connect", initialMessages: Message[]): Agent {
    const { url, token, session } = this.#place;
    const agent = this.#agentOf({
      url: `${url}/ag-ui/agent/main/${route}`,
      threadId: session,
      headers: { authorization: `Bearer ${token}` },
      initialMessages,
    });
    agent.subscribe({ onMessagesChanged: this.#changes.notify });
    return agent;
  }
}
