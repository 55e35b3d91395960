import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { settingsOf } from "../../src/gateway/settings.js";
import { parseAddress } from "../../src/log/postgres/address.js";
import { readConfig } from "../../src/runtime/config.js";

const folder = fileURLToPath(new URL("../../examples/scale-out/", import.meta.url));
const read = (name: string) => readFileSync(`${folder}${name}`, "utf8");

/** The services of the compose file: the names with an indent of two below `services:`. */
function services(compose: string): string[] {
  const [, part = ""] = compose.split(/^services:\n/m);
  const [own = ""] = part.split(/^\S/m);
  return [...own.matchAll(/^ {2}([\w-]+):$/gm)].map(([, name = ""]) => name);
}

/** What the compose file sets a variable to, in each place. */
function valuesOf(compose: string, variable: string): string[] {
  return [...compose.matchAll(new RegExp(`^ +${variable}: "?([^"\\n]+)"?$`, "gm"))].map(
    ([, value = ""]) => value,
  );
}

const compose = read("compose.yaml");

test("the compose file has two gateways, a database with a standby, and a balancer", () => {
  expect(services(compose)).toEqual(["primary", "standby", "gateway-1", "gateway-2", "balancer"]);
});

test("each gateway advertises its own service, at the port where it listens", async () => {
  const config = await readConfig(folder, {});
  const [host] = valuesOf(compose, "DRAGOMAN_HOST");
  const [port] = valuesOf(compose, "DRAGOMAN_PORT");
  const advertised = valuesOf(compose, "DRAGOMAN_ADVERTISE");
  expect(advertised).toEqual(["http://gateway-1:18800", "http://gateway-2:18800"]);
  for (const url of advertised) {
    const env = { DRAGOMAN_HOST: host, DRAGOMAN_PORT: port, DRAGOMAN_ADVERTISE: url };
    const settings = settingsOf(config, env);
    expect(settings).toMatchObject({ host: "0.0.0.0", port: 18800, advertise: url });
    // Each one accepts requests for both names.
    expect(settings.hosts).toEqual(expect.arrayContaining(["gateway-1", "gateway-2"]));
  }
});

test("gateways try the primary, then the standby", () => {
  const [address = ""] = valuesOf(compose, "DRAGOMAN_STORE");
  expect(parseAddress(address, { PGPASSWORD: "secret" })).toMatchObject({
    hosts: [
      { host: "primary", port: 5432 },
      { host: "standby", port: 5432 },
    ],
    user: "dragoman",
    database: "dragoman",
    password: "secret",
  });
  expect(valuesOf(compose, "POSTGRES_USER")).toEqual(["dragoman"]);
  expect(valuesOf(compose, "POSTGRES_DB")).toEqual(["dragoman"]);
});

test("the balancer asks both gateways whether they are ready, by a name that they know", () => {
  const balancer = read("haproxy.cfg");
  expect(balancer).toContain("uri /readyz ver HTTP/1.1 hdr Host localhost");
  expect([...balancer.matchAll(/^ +server (\S+) (\S+)$/gm)].map(([, name, place]) => [name, place])).toEqual([
    ["gateway-1", "gateway-1:18800"],
    ["gateway-2", "gateway-2:18800"],
  ]);
});

test("every file that the compose file mounts is in the folder", () => {
  const mounted = [...compose.matchAll(/- \.\/([\w.-]+):/g)].map(([, name = ""]) => name);
  expect(mounted.toSorted()).toEqual(
    ["config.json", "allow-replication.sh", "start-standby.sh", "haproxy.cfg"].toSorted(),
  );
  for (const name of mounted) expect(read(name).length).toBeGreaterThan(0);
});
