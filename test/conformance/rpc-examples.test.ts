import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isObject } from "../../src/core/json/value.js";
import { rpc } from "../../src/gateway/rpc/protocol.js";
import { methodNames } from "../../src/protocol/checks.js";
import { testGateway } from "../fakes/gateway.js";
import { RpcSocket } from "../fakes/rpc-socket.js";

const page = readFileSync(new URL("../../docs/spec/rpc.md", import.meta.url), "utf8");
const lines = [...page.matchAll(/```rpc\n([\s\S]*?)```/g)].flatMap(([, block = ""]) =>
  block.trim().split("\n"),
);
const examples = lines.flatMap((line, index) =>
  line.startsWith("→ ")
    ? [{ request: line.slice(2), response: JSON.parse((lines[index + 1] ?? "").slice(2)) }]
    : [],
);

/** The value with `"…"` wherever the example has it. */
function blurred(value: unknown, example: unknown): unknown {
  if (example === "…") return "…";
  if (Array.isArray(value) && Array.isArray(example)) {
    return value.map((member, index) => blurred(member, example[index]));
  }
  if (!isObject(value) || !isObject(example)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, blurred(member, example[key])]),
  );
}

/** Remembers `runId`, `end` and the like, for requests that say `"$runId"`. */
function remember(value: unknown, seen: Map<string, unknown>): void {
  if (!isObject(value)) return;
  for (const [key, member] of Object.entries(value)) {
    seen.set(key, member);
    remember(member, seen);
  }
}

test("the examples of the protocol's page are what a server does", async () => {
  const gateway = await testGateway([rpc], { now: () => 1_740_000_000_000 });
  const socket = await RpcSocket.open(gateway.host, gateway.admin);
  const seen = new Map<string, unknown>();
  const real: unknown[] = [];
  for (const { request, response } of examples) {
    const filled = request.replace(/"\$(\w+)"/g, (_, name: string) => JSON.stringify(seen.get(name)));
    const answer = await socket.ask(filled);
    remember(answer, seen);
    real.push(blurred(answer, response));
  }
  expect(real).toEqual(examples.map(({ response }) => response));
});

test("every method has an example, and its scope is in the table", () => {
  const shown = examples.flatMap(({ request }) =>
    [request.matchAll(/"method":"([^"]+)"/g)].flatMap((all) => [...all]),
  );
  const names = new Set(shown.map(([, name]) => name));
  expect(methodNames.filter((name) => !names.has(name))).toEqual([]);
  const table = page.slice(page.indexOf("| scope "));
  expect(methodNames.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});
