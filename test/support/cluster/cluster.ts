import { onTestFinished } from "vitest";
import type { PostgresStore } from "../../../src/log/postgres/postgres-store.js";
import { type TcpProxy, tcpProxy } from "../../fakes/tcp-proxy.js";
import { launchServe, type ServeProcess } from "../cli/serve-process.js";
import { openPostgres } from "../postgres/open-store.js";
import { PostgresPair } from "../postgres/pair.js";
import { shiftedClock } from "./shifted-clock.js";

/** The ways from one process to both servers of the database. */
class DatabaseLink {
  readonly proxies: readonly TcpProxy[];
  readonly #pair: PostgresPair;

  private constructor(pair: PostgresPair, proxies: readonly TcpProxy[]) {
    this.#pair = pair;
    this.proxies = proxies;
    this.restore();
  }

  static async open(pair: PostgresPair): Promise<DatabaseLink> {
    return new DatabaseLink(pair, [await tcpProxy(), await tcpProxy()]);
  }

  get url(): string {
    return `postgres://postgres@${this.proxies.map(({ host }) => host).join(",")}/postgres`;
  }

  /** Leads to the servers as they are now. */
  restore(): void {
    for (const [index, proxy] of this.proxies.entries()) proxy.leadTo(this.#pair.hosts[index]);
  }
}

interface ClusterGateway {
  process: ServeProcess;
  database: DatabaseLink;
  /** Through which the other gateway reaches it. */
  door: TcpProxy;
  start(): Promise<void>;
}

/** Two gateways that share a PostgreSQL with a synchronous standby. Every connection between them leads through a proxy. */
export class Cluster {
  readonly pair: PostgresPair;
  readonly gateways: readonly ClusterGateway[];
  /** For looking at what is stored, whatever happens to the gateways. */
  readonly store: PostgresStore;
  readonly #links: readonly DatabaseLink[];
  readonly #balancers: TcpProxy[] = [];

  private constructor(
    pair: PostgresPair,
    gateways: readonly ClusterGateway[],
    store: PostgresStore,
    links: readonly DatabaseLink[],
  ) {
    this.pair = pair;
    this.gateways = gateways;
    this.store = store;
    this.#links = links;
  }

  /** @param homes one folder for each gateway */
  static async start(homes: readonly string[]): Promise<Cluster> {
    const pair = await PostgresPair.start();
    onTestFinished(() => pair.stop());
    const link = await DatabaseLink.open(pair);
    const store = await openPostgres(link.url);
    onTestFinished(() => store.close());
    const gateways: ClusterGateway[] = [];
    for (const home of homes) gateways.push(await startGateway(pair, home));
    return new Cluster(pair, gateways, store, [link, ...gateways.map(({ database }) => database)]);
  }

  gateway(number: number): ClusterGateway {
    const gateway = this.gateways[number % this.gateways.length];
    if (gateway === undefined) throw new Error("no gateway");
    return gateway;
  }

  async failOver(): Promise<void> {
    await this.pair.failOver(() => {
      for (const link of this.#links) link.restore();
    });
  }

  /** An address for clients, which leads to another gateway from time to time. */
  async balancer(): Promise<string> {
    const proxy = await tcpProxy(hostOf(this.gateway(this.#balancers.length).process.url));
    this.#balancers.push(proxy);
    return `http://${proxy.host}`;
  }

  /** Moves all clients to one gateway. */
  moveClients(number: number): void {
    for (const proxy of this.#balancers) {
      proxy.leadTo(hostOf(this.gateway(number).process.url));
      proxy.cut();
    }
  }
}

async function startGateway(pair: PostgresPair, home: string): Promise<ClusterGateway> {
  const [database, door] = [await DatabaseLink.open(pair), await tcpProxy()];
  const launch = async () => {
    const args = ["--model", "demo/script", "--advertise", `http://${door.host}`];
    const env = { DRAGOMAN_STORE: database.url, ...shiftedClock };
    const started = await launchServe(home, args, env, onTestFinished);
    door.leadTo(hostOf(started.url));
    return started;
  };
  const gateway: ClusterGateway = {
    process: await launch(),
    database,
    door,
    start: async () => {
      gateway.process = await launch();
    },
  };
  return gateway;
}

function hostOf(url: string): string {
  return new URL(url).host;
}
