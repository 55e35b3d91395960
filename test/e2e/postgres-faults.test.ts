import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";
import { Cluster } from "../support/cluster/cluster.js";
import { faults, faultsInTurn, usualFaults } from "../support/cluster/faults.js";
import { type TalkResult, talk } from "../support/cluster/talk.js";

/** Every kind once; a soak has 1,000. `DRAGOMAN_TEST_FAULTS` is another number. */
const FAULTS = Number(
  process.env["DRAGOMAN_TEST_FAULTS"] ??
    (process.env["DRAGOMAN_SOAK"] === undefined ? usualFaults.length : 1_000),
);
const CLIENTS = 3;

const { path, put, spawned } = workspace();

// A message that is lost once in two runs is lost: this test is not repeated.
test(`${FAULTS} faults: what is accepted is stored once, answered once, and shown as it is stored`, {
  retry: 0,
  timeout: 7_200_000,
}, async () => {
  const homes = ["home-0", "home-1"];
  for (const home of homes) {
    put(`${home}/config.json`, '{"gateway":{"limits":{"requestsPerMinute":1000000}}}');
  }
  const cluster = await Cluster.start(homes.map(path));
  const env = { DRAGOMAN_STORE: cluster.pair.primary.url };
  const create = ["token", "create", "--scope", "admin", "--home", path("home-0")];
  const token = (await spawned(create, "", env)).stdout.trim();

  let over = false;
  const results: TalkResult[] = [];
  const talkOn = async (client: number) => {
    for (let round = 0; !over; round++) {
      const thread = `00000000-0000-4000-8000-${String(client * 100_000 + round).padStart(12, "0")}`;
      results.push(await talk(cluster, token, { thread, isOver: () => over }));
    }
  };
  const talking = Promise.all(Array.from({ length: CLIENTS }, (_, client) => talkOn(client)));
  const counts = new Map<string, number>();
  const turns = faultsInTurn();
  for (let count = 0; count < FAULTS; count++) {
    const kind = turns.next().value;
    await setTimeout(300);
    // Clients use the other gateway, and see what the struck one runs through the link.
    cluster.moveClients(count + 1);
    await faults[kind](cluster, count);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  over = true;
  // A client may wait for a gateway that was killed when it began.
  cluster.moveClients(0);
  await talking;
  const sum = (field: "accepted" | "repeated" | "cut") =>
    results.reduce((total, result) => total + result[field], 0);
  const lines = [...counts].map(([kind, count]) => `${String(count).padStart(6)}  ${kind}`);
  process.stdout.write(
    `${lines.join("\n")}\n${FAULTS} faults: ${sum("accepted")} messages accepted in ${results.length} sessions, ${sum("repeated")} sends repeated, ${sum("cut")} answers cut off\n`,
  );
  expect(results.flatMap(({ problems }) => problems)).toEqual([]);
  expect(results.flatMap(({ differences }) => differences)).toEqual([]);
  expect(sum("accepted")).toBeGreaterThan(0);
});
