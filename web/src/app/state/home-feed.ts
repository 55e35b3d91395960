import type { DragomanClient, Result, RpcSessionInfo } from "dragoman/client";
import type { Welcome } from "./gateway-link.js";
import { Store } from "./store.js";

export type Waiting = Result<"permission.list">["permissions"][number];
export type Run = Result<"runs.list">["runs"][number];
export type ChannelStatus = Result<"channels.status">["channels"][number];
export type PairingRequest = Result<"channels.people">["requests"][number];

export interface Home {
  /** Requests of agents, oldest first. */
  waiting: readonly Waiting[];
  runs: readonly Run[];
  channels: readonly ChannelStatus[];
  /** People who wait for approval; empty if the token may not approve them. */
  requests: readonly PairingRequest[];
  /** The latest sessions of all programs; undefined until they are found. */
  recent: readonly RpcSessionInfo[] | undefined;
}

export const emptyHome: Home = { waiting: [], runs: [], channels: [], requests: [], recent: undefined };

const RECENT = 12;

/** What the home page shows besides the session list. */
export class HomeFeed {
  readonly state = new Store<Home>(emptyHome);
  readonly #state = new Reload();
  readonly #recent = new Reload();

  /** Loads what waits, what runs, and the channels. */
  async refresh(client: DragomanClient, { methods }: Welcome): Promise<void> {
    await this.#state.run(async () => {
      const none = { requests: [] };
      const [{ permissions: waiting }, { runs }, { channels }, { requests }] = await Promise.all([
        client.call("permission.list", {}),
        client.call("runs.list", {}),
        client.call("channels.status", {}),
        methods.includes("channels.people") ? client.call("channels.people", {}) : none,
      ]);
      this.state.update((home) => ({ ...home, waiting, runs, channels, requests }));
    });
  }

  /** Loads the latest sessions. Other programs' folders may be large, so nothing else waits for them. */
  async refreshRecent(client: DragomanClient, { scope }: Welcome): Promise<void> {
    await this.#recent.run(async () => {
      const source = scope === "admin" ? { source: "all" } : {};
      const { sessions } = await client.call("sessions.list", { ...source, archived: false, limit: RECENT });
      this.state.update((home) => ({ ...home, recent: sessions }));
    });
  }
}

/** Something that is loaded again and again; calls during a load cause one more. */
class Reload {
  #running: Promise<void> | undefined;
  #isStale = false;

  run(load: () => Promise<void>): Promise<void> {
    this.#isStale = true;
    this.#running ??= this.#repeat(load).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #repeat(load: () => Promise<void>): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      await load();
    }
  }
}
