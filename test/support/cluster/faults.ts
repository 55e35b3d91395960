import { setTimeout } from "node:timers/promises";
import type { Cluster } from "./cluster.js";

/** Longer than the time after which others consider a process dead. */
const BEYOND_LEASE_MS = 7_000;
/** Longer than a process keeps its leases without the database. */
const BEYOND_RENEWAL_MS = 5_000;

type Fault = (cluster: Cluster, number: number) => Promise<void>;

/** What can happen to the gateway with a number, or to the database. Fulfilled when it is over. */
export const faults = {
  async "gateway killed"(cluster, number) {
    const gateway = cluster.gateway(number);
    gateway.process.child.kill("SIGKILL");
    await gateway.process.ended;
    await gateway.start();
  },
  async "database connections cut"(cluster, number) {
    for (const proxy of cluster.gateway(number).database.proxies) proxy.cut();
  },
  async "gateway link cut"(cluster, number) {
    cluster.gateway(number).door.cut();
  },
  async "clock off by an hour"(cluster, number) {
    cluster.gateway(number).process.child.kill("SIGUSR2");
    await setTimeout(200);
  },
  async "database killed"({ pair }) {
    await pair.restart();
  },
  async "database delayed"(cluster, number) {
    const { proxies } = cluster.gateway(number).database;
    for (const proxy of proxies) proxy.delay(150);
    await setTimeout(2_000);
    for (const proxy of proxies) proxy.delay(0);
  },
  async "gateway link delayed"(cluster, number) {
    const { door } = cluster.gateway(number);
    door.delay(300);
    await setTimeout(1_500);
    door.delay(0);
  },
  async "gateway link delivered late"(cluster, number) {
    const { door } = cluster.gateway(number);
    door.hold();
    await setTimeout(2_000);
    door.release();
  },
  async "primary killed, standby promoted"(cluster) {
    await cluster.failOver();
  },
  async "database unreachable"(cluster, number) {
    const { database } = cluster.gateway(number);
    for (const proxy of database.proxies) {
      proxy.leadTo(undefined);
      proxy.cut();
    }
    await setTimeout(BEYOND_RENEWAL_MS);
    database.restore();
  },
  async "gateway suspended"(cluster, number) {
    const { child } = cluster.gateway(number).process;
    child.kill("SIGSTOP");
    await setTimeout(BEYOND_LEASE_MS);
    child.kill("SIGCONT");
  },
  async "database delivered late"(cluster, number) {
    const { proxies } = cluster.gateway(number).database;
    for (const proxy of proxies) proxy.hold();
    await setTimeout(BEYOND_LEASE_MS);
    for (const proxy of proxies) proxy.release();
  },
  async "database away for a minute"({ pair }) {
    await pair.restart(60_000);
  },
} satisfies Record<string, Fault>;

export type FaultKind = keyof typeof faults;

/** In a long run only. */
const RARE: FaultKind = "database away for a minute";
/** How many faults there are from one of these to the next. */
const RARE_EVERY = 50;

/** Those that take a second or less occur more often in a long run. */
const QUICK: readonly FaultKind[] = [
  "gateway killed",
  "database connections cut",
  "gateway link cut",
  "clock off by an hour",
];

/** The kinds of a short run. */
// Object.keys() of a literal are its keys.
export const usualFaults = Object.keys(faults).filter(
  (kind): kind is FaultKind => kind in faults && kind !== RARE,
);

/** Every kind once, and then again with more of the quick ones. */
export function* faultsInTurn(): Generator<FaultKind, never> {
  const kinds = usualKinds();
  for (let count = 1; ; count++) yield count % RARE_EVERY === 0 ? RARE : kinds.next().value;
}

function* usualKinds(): Generator<FaultKind, never> {
  yield* usualFaults;
  for (;;) {
    for (const kind of usualFaults) {
      yield kind;
      if (!QUICK.includes(kind)) yield* QUICK.slice(0, 3);
    }
  }
}
