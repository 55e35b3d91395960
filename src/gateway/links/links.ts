import type { SocketConstructor } from "../../client/socket.js";
import { backoff } from "../../core/async/backoff.js";
import { sleep, systemClock } from "../../core/async/clock.js";
import { DragomanError } from "../../core/error.js";
import type { LeaseHolders, Store } from "../../log/store.js";
import type { Lease } from "../../log/types.js";
import type { Result } from "../../protocol/schema.js";
import type { Owners } from "../../runtime/elsewhere/owner.js";
import type { Config } from "../../runtime/schema.js";
import type { Logger, Metrics } from "../types.js";
import { differingSections, digestConfig } from "./config-digest.js";
import { GatewayLink } from "./gateway-link.js";
import { type Member, Members, memberLease } from "./members.js";
import { Proofs, proveTo } from "./proofs.js";

/** How often the configurations of the gateways are compared, and a changed one of this gateway is published. */
const COMPARE_MS = 60_000;

export interface LinksOptions {
  store: Store;
  key: Buffer;
  /** The configuration in use, which can change. */
  config(): Config;
  version: string;
  logger: Logger;
  metrics: Metrics;
  WebSocket: SocketConstructor;
  fetch?: typeof fetch;
  now?: () => number;
  idleMs?: number;
}

/** The other gateways of a store: finds the one that runs a session, and keeps a link to each that is needed. */
export class Links implements Owners {
  readonly proofs: Proofs;
  readonly #options: LinksOptions;
  readonly #holders: LeaseHolders;
  readonly #members: Members;
  readonly #links = new Map<string, GatewayLink>();
  readonly #closing = new AbortController();
  /** Differences that were reported. */
  readonly #reported = new Set<string>();
  #url = "";
  #started: number | undefined;
  #published: Member["config"] = {};
  #lease: Lease | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LinksOptions) {
    const { store, key, metrics } = options;
    if (store.holders === undefined) {
      throw new DragomanError("config/invalid", "this store cannot be shared by several gateways", {
        hint: "start without --advertise",
      });
    }
    this.#options = options;
    this.#holders = store.holders;
    this.#members = new Members(store, store.holders);
    this.proofs = new Proofs(key, () => this.#url);
    metrics.gauge("dragoman_links", () => [...this.#links.values()].filter(({ isOpen }) => isOpen).length);
  }

  /** From now on, the other gateways find this one, at this URL. */
  async join(url: string): Promise<void> {
    const { store } = this.#options;
    this.#url = url;
    const id = await this.#holders.me();
    this.#lease = await store.waitForLease(memberLease(id), this.#closing.signal);
    // The store considered this process dead, and names it otherwise from now on.
    this.#lease.lost.addEventListener("abort", () => void this.#joinAgain(), { once: true });
    await this.#publish(id);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => void this.#compare(), COMPARE_MS).unref();
    await this.#compare();
  }

  async #publish(id: string): Promise<void> {
    const { config, key, version, now = Date.now } = this.#options;
    this.#started ??= now();
    this.#published = digestConfig(config(), key);
    await this.#members.add({ id, url: this.#url, version, started: this.#started, config: this.#published });
  }

  async #joinAgain(): Promise<void> {
    const { logger } = this.#options;
    for (let attempt = 0; !this.#closing.signal.aborted; attempt++) {
      try {
        return await this.join(this.#url);
      } catch (error) {
        logger.warn({ err: error }, "could not tell the other gateways where this one is; will retry");
        await sleep(systemClock, backoff(attempt), this.#closing.signal).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#closing.abort();
    for (const link of this.#links.values()) link.close();
    this.#links.clear();
    if (this.#lease === undefined) return;
    await this.#members.remove(await this.#holders.me());
    await this.#lease.release();
  }

  get me(): string {
    return this.#url;
  }

  async ownerOf(session: string, gateway?: string): Promise<GatewayLink | undefined> {
    if (gateway === undefined) return this.#linkToHolder(this.#holders.ofSession(session));
    const isAlive = (await this.#members.living()).some(({ url }) => url === gateway);
    return isAlive && !this.#closing.signal.aborted ? this.#linkTo(gateway) : undefined;
  }

  /** The gateway that holds a lease of anything but a session, such as that of a channel account. */
  holderOf(name: string): Promise<GatewayLink | undefined> {
    return this.#linkToHolder(this.#holders.of(name));
  }

  /** Waits for the end of a run on any other gateway; undefined if none of them knows it. */
  async waitForRun(runId: string, timeoutMs: number): Promise<Result<"agent.wait"> | undefined> {
    const me = await this.#holders.me();
    const others = (await this.#members.living()).filter(({ id }) => id !== me);
    const waits = others.map(({ url }) =>
      this.#linkTo(url).call("agent.wait", { runId, timeoutMs }, timeoutMs + COMPARE_MS),
    );
    // Those that do not know the run refuse at once.
    return Promise.any(waits).catch(() => undefined);
  }

  async #linkToHolder(finding: Promise<string | undefined>): Promise<GatewayLink | undefined> {
    const holder = await finding;
    if (holder === undefined || this.#closing.signal.aborted) return undefined;
    if (holder === (await this.#holders.me())) return undefined;
    const member = await this.#members.find(holder);
    return member === undefined ? undefined : this.#linkTo(member.url);
  }

  #linkTo(url: string): GatewayLink {
    const known = this.#links.get(url);
    if (known !== undefined) return known;
    const { metrics, WebSocket, key, fetch = globalThis.fetch, idleMs } = this.#options;
    const link = new GatewayLink({
      url,
      metrics,
      WebSocket,
      credential: () => proveTo(url, key, fetch),
      ...(idleMs === undefined ? {} : { idleMs }),
    });
    this.#links.set(url, link);
    return link;
  }

  async #compare(): Promise<void> {
    const { logger, config, key } = this.#options;
    try {
      const mine = { config: digestConfig(config(), key) };
      if (differingSections(mine, { config: this.#published }).length > 0) {
        await this.#publish(await this.#holders.me());
      }
      for (const other of await this.#members.living()) this.#report(other, differingSections(mine, other));
    } catch (error) {
      if (!this.#closing.signal.aborted) logger.error({ err: error }, "could not list the other gateways");
    }
  }

  #report({ url }: Member, sections: readonly string[]): void {
    const difference = JSON.stringify([url, sections]);
    if (sections.length === 0 || this.#reported.has(difference)) return;
    this.#reported.add(difference);
    this.#options.logger.warn(
      { gateway: url, sections },
      "another gateway on this store has a different configuration: answers depend on which one runs a session",
    );
  }
}
