import { expect, onTestFinished, test } from "vitest";
import { rpc } from "../../../src/gateway/rpc/protocol.js";
import { type TestGateway, testGateway } from "../../fakes/gateway.js";
import { SteppedModel } from "../../fakes/stepped-model.js";
import { told } from "../../fakes/watching.js";
import { connectRpc, RpcWatcher } from "../../support/gateway-clients.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const KEY = "agent:main:main";

/** Gateways on one home, all with the same model. */
async function gateways(count: number, model: SteppedModel): Promise<TestGateway[]> {
  const home = temporaryFolder();
  const options = { home, config: model.config, models: { fetch: model.fetch }, links: {} };
  const all: TestGateway[] = [];
  while (all.length < count) all.push(await testGateway([rpc], options));
  return all;
}

async function clientOf({ url, admin }: TestGateway) {
  const client = await connectRpc({ url, token: admin });
  onTestFinished(() => client.close());
  return client;
}

test("a client of one gateway sees the tokens of a run on another, and then the stored message", async () => {
  const model = new SteppedModel();
  const [one, other] = await gateways(2, model);
  if (one === undefined || other === undefined) return;
  const [here, there] = [await clientOf(one), await clientOf(other)];
  await here.call("sessions.create", { key: KEY });
  const watcher = new RpcWatcher(there, KEY);
  await watcher.until(() => watcher.messages.length === 1);
  await here.send(KEY, "Hello");
  await model.isAsked(1);
  model.send({ text: "Good " });
  await watcher.until(() => watcher.live === "Good ");
  model.send({ text: "morning" });
  await watcher.until(() => watcher.live === "Good morning");
  model.send({ stop: "stop" });
  await watcher.until(() => watcher.messages.at(-1)?.role === "assistant");
  expect(told(watcher.messages)).toEqual(["session", "user: Hello", "assistant (stop): Good morning"]);
  expect(watcher.problems).toEqual([]);
});
