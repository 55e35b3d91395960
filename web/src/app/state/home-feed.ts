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
  #refreshing: Promise<void> | undefined;
  #isStale = false;

  /** Loads everything again; calls during a load cause one more. */
  refresh(client: DragomanClient, welcome: Welcome): Promise<void> {
    if (this.#refreshing !== undefined) {
      this.#isStale = true;
      return this.#refreshing;
    }
    this.#refreshing = this.#load(client, welcome).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #load(client: DragomanClient, { methods, scope }: Welcome): Promise<void> {
    do {
      this.#isStale = false;
      const none = { requests: [] };
      const [{ permissions: waiting }, { runs }, { channels }, { requests }] = await Promise.all([
        client.call("permission.list", {}),
        client.call("runs.list", {}),
        client.call("channels.status", {}),
        methods.includes("channels.people") ? client.call("channels.people", {}) : none,
      ]);
      this.state.update((home) => ({ ...home, waiting, runs, channels, requests }));
      // Other programs' folders may be large, so the rest does not wait for them.
      const source = scope === "admin" ? { source: "all" } : {};
      const { sessions } = await client.call("sessions.list", { ...source, archived: false, limit: RECENT });
      this.state.update((home) => ({ ...home, recent: sessions }));
    } while (this.#isStale);
  }
}
