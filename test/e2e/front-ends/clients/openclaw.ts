import { OpenClawClient } from "../../openclaw/openclaw-client.js";
import type { ClientKind, Place, SessionClient } from "./session-client.js";

export const openClaw: ClientKind = {
  name: "@openclaw/gateway-client",
  async open(place) {
    const client = await OpenClawClient.connect({ url: place.url, token: place.token });
    await client.open(keyOf(place));
    return new OpenClawSessionClient(client, place);
  },
};

function keyOf({ session }: Place): string {
  return `agent:main:page:dm:${session}`;
}

class OpenClawSessionClient implements SessionClient {
  readonly #client: OpenClawClient;
  readonly #place: Place;

  constructor(client: OpenClawClient, place: Place) {
    this.#client = client;
    this.#place = place;
  }

  get answer(): string {
    const { shown, live } = this.#client;
    const at = shown.findLastIndex((line) => line.startsWith("user: "));
    const stored = shown
      .slice(at + 1)
      .flatMap((line) => (line.startsWith(ASSISTANT) ? [line.slice(ASSISTANT.length)] : []));
    return [...stored, live].join("");
  }

  async send(text: string): Promise<void> {
    const runId = crypto.randomUUID();
    await this.#client.send(keyOf(this.#place), text, runId);
    const { event, payload } = await this.#client.until(
      (one) => isEndOf(one.payload, runId) || one.event === "exec.approval.requested",
    );
    if (event === "chat" && payload["state"] === "error") throw new Error(String(payload["errorMessage"]));
  }

  async shows(answer: string): Promise<void> {
    while (this.answer !== answer) await this.#client.changed();
  }

  async approve(): Promise<void> {
    const { payload } = await this.#client.until(({ event }) => event === "exec.approval.requested");
    const { runId } = payload["request"] as { runId: string };
    await this.#client.request("exec.approval.resolve", { id: payload["id"], decision: "allow-once" });
    await this.#client.ended(runId);
  }

  async stop(): Promise<void> {
    await this.#client.request("chat.abort", { sessionKey: keyOf(this.#place) });
  }

  async reload(): Promise<SessionClient> {
    this.#client.stop();
    return this.join();
  }

  join(): Promise<SessionClient> {
    return openClaw.open(this.#place);
  }
}

const ASSISTANT = "assistant: ";

function isEndOf(payload: Readonly<Record<string, unknown>>, runId: string): boolean {
  return payload["runId"] === runId && ["final", "aborted", "error"].includes(String(payload["state"]));
}
