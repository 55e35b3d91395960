import { copilot } from "../copilot.js";
import { answerIn } from "./ag-ui.js";
import { Changes, type ClientKind, type Place, type SessionClient } from "./session-client.js";

type Copilot = Awaited<ReturnType<typeof copilot>>;

export const copilotKit: ClientKind = {
  name: "@copilotkit/core",
  open: async (place) => new CopilotKitClient(place, await copilot(place.url, place.token, place.session)),
};

class CopilotKitClient implements SessionClient {
  readonly #place: Place;
  readonly #copilot: Copilot;
  readonly #changes = new Changes();
  readonly #connected: Promise<unknown>;

  constructor(place: Place, opened: Copilot, connected: Promise<unknown> = Promise.resolve()) {
    this.#place = place;
    this.#copilot = opened;
    this.#connected = connected;
    opened.agent.subscribe({ onMessagesChanged: this.#changes.notify });
  }

  get answer(): string {
    return answerIn(this.#copilot.agent.messages);
  }

  async send(text: string): Promise<void> {
    const { core, agent } = this.#copilot;
    // The failure of an earlier run is part of what it replays.
    await this.#connected;
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: text });
    let failure: string | undefined;
    const subscription = core.subscribe({
      onError: ({ error }) => {
        failure = error.message;
      },
    });
    await core.runAgent({ agent });
    subscription.unsubscribe();
    if (failure !== undefined) throw new Error(failure);
  }

  shows(answer: string): Promise<void> {
    return this.#changes.until(() => this.answer === answer);
  }

  async approve(): Promise<void> {
    const { agent } = this.#copilot;
    const [open] = agent.pendingInterrupts;
    const payload = { approved: true };
    await agent.runAgent({ resume: [{ interruptId: open?.id ?? "", status: "resolved", payload }] });
  }

  async stop(): Promise<void> {
    this.#copilot.core.stopAgent({ agent: this.#copilot.agent });
  }

  async reload(): Promise<SessionClient> {
    await this.#copilot.agent.detachActiveRun();
    return this.join();
  }

  async join(): Promise<SessionClient> {
    const { url, token, session } = this.#place;
    const opened = await copilot(url, token, session);
    const connected = opened.core.connectAgent({ agent: opened.agent });
    return new CopilotKitClient(this.#place, opened, connected);
  }
}
