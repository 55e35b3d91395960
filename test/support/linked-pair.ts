import { onTestFinished } from "vitest";
import type { DragomanClient } from "../../src/client/index.js";
import { rpc } from "../../src/gateway/rpc/protocol.js";
import { type TestGateway, type TestGatewayOptions, testGateway } from "../fakes/gateway.js";
import { SteppedModel } from "../fakes/stepped-model.js";
import { connectRpc, RpcWatcher } from "./gateway-clients.js";
import type { StorePlace, StorePlaces } from "./shared-stores.js";

export const KEY = "agent:main:main";

/** Two gateways on one store, with the same model. The first one runs the session. */
export async function linkedPair(
  places: () => Promise<StorePlaces>,
  first: TestGatewayOptions["links"] = {},
  second: TestGatewayOptions["links"] = first,
  config: TestGatewayOptions["config"] = {},
) {
  const model = new SteppedModel();
  const options = {
    // A client that moves often connects often.
    config: { ...model.config, gateway: { limits: { requestsPerMinute: 1_000_000 } }, ...config },
    models: { fetch: model.fetch },
  };
  const place = await places();
  const owner = await linkedGateway(place(), { ...options, links: first });
  const other = await linkedGateway(place(), { ...options, links: second });
  const there = await clientOf(owner);
  await there.call("sessions.create", { key: KEY });
  return { model, owner, other, there, here: await clientOf(other) };
}

/** A gateway on a store that others share. */
export async function linkedGateway(place: StorePlace, options: TestGatewayOptions): Promise<TestGateway> {
  const store = await place.open();
  return testGateway([rpc], { links: {}, ...options, home: place.home, store });
}

async function clientOf({ url, admin }: TestGateway): Promise<DragomanClient> {
  const client = await connectRpc({ url, token: admin });
  onTestFinished(() => client.close());
  return client;
}

/** A client that watches the session, once it has its first message. */
export async function watching(client: DragomanClient): Promise<RpcWatcher> {
  const watcher = new RpcWatcher(client, KEY);
  await watcher.until(() => watcher.messages.length > 0);
  return watcher;
}
