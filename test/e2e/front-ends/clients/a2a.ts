import { TaskState } from "@a2a-js/sdk";
import type { Client } from "@a2a-js/sdk/client";
import { a2aClient, byId, FollowedTask, say } from "../a2a-client.js";
import { Changes, type ClientKind, inBackground, type Place, type SessionClient } from "./session-client.js";

/** `@a2a-js/sdk` in a version of the protocol. */
export function a2a(version: "1.0" | "0.3"): ClientKind {
  return {
    name: `@a2a-js/sdk, A2A ${version}`,
    async open(place) {
      const { url, token } = place;
      return new A2aSessionClient(await a2aClient(url, token, { legacy: version === "0.3" }), place);
    },
  };
}

class A2aSessionClient implements SessionClient {
  readonly #client: Client;
  readonly #place: Place;
  readonly #changes = new Changes();
  #task = new FollowedTask();
  #isLeft = false;

  constructor(client: Client, place: Place) {
    this.#client = client;
    this.#place = place;
  }

  get answer(): string {
    return this.#task.texts.join("");
  }

  async send(text: string): Promise<void> {
    this.#task = new FollowedTask();
    const message = say(text, { contextId: this.#place.session });
    await this.#follow(this.#client.sendMessageStream(message));
    if (this.#task.state === "FAILED") throw new Error("the task failed");
  }

  shows(answer: string): Promise<void> {
    return this.#changes.until(() => this.answer === answer);
  }

  async approve(): Promise<void> {
    await this.#follow(this.#client.sendMessageStream(say("yes", { taskId: this.#task.id })));
  }

  async stop(): Promise<void> {
    await this.#client.cancelTask(byId(this.#task.id));
  }

  async reload(): Promise<SessionClient> {
    this.#isLeft = true;
    return this.join();
  }

  async join(): Promise<SessionClient> {
    const joined = new A2aSessionClient(this.#client, this.#place);
    await joined.#open(await latestTask(this.#place));
    return joined;
  }

  async #open(taskId: string): Promise<void> {
    const task = await this.#client.getTask(byId(taskId));
    this.#task.accept(task);
    if (this.#task.state !== "WORKING") return;
    inBackground(this.#follow(this.#client.resubscribeTask(byId(taskId))));
  }

  async #follow(stream: Parameters<FollowedTask["follow"]>[0]): Promise<void> {
    await this.#task.follow(stream, () => {
      this.#changes.notify();
      return this.#isLeft;
    });
  }
}

/** The latest task of the session, which only 1.0 can list. */
async function latestTask({ url, token, session }: Place): Promise<string> {
  const client = await a2aClient(url, token);
  const { tasks } = await client.listTasks({
    tenant: "",
    contextId: session,
    status: TaskState.TASK_STATE_UNSPECIFIED,
    statusTimestampAfter: undefined,
    pageToken: "",
  });
  return tasks[0]?.id ?? "";
}
