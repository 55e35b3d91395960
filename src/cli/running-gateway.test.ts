import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { announceGateway, findGateway } from "./running-gateway.js";

test("a gateway is found while its process is alive and has not withdrawn", async () => {
  const home = temporaryFolder();
  expect(await findGateway(home)).toBeUndefined();
  const withdraw = await announceGateway(home, "http://127.0.0.1:18800");
  expect(await findGateway(home)).toBe("http://127.0.0.1:18800");
  await withdraw();
  expect(await findGateway(home)).toBeUndefined();
  expect(existsSync(join(home, "gateway.json"))).toBe(false);
});

test("a gateway that was killed is not found, whatever listens on its port now", async () => {
  const home = temporaryFolder();
  await announceGateway(home, "http://127.0.0.1:18800");
  const path = join(home, "gateway.json");
  const { url, holder } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, JSON.stringify({ url, holder: { ...holder, started: "1" } }));
  expect(await findGateway(home)).toBeUndefined();
  writeFileSync(path, '{"url":"http://127.0.0.1:18800"}');
  expect(await findGateway(home)).toBeUndefined();
});

test("a gateway that stops leaves the announcement of another", async () => {
  const home = temporaryFolder();
  const first = await announceGateway(home, "http://127.0.0.1:1");
  const second = await announceGateway(home, "http://127.0.0.1:2");
  await first();
  expect(await findGateway(home)).toBe("http://127.0.0.1:2");
  await second();
});
