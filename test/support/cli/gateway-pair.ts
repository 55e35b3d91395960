import { onTestFinished } from "vitest";
import { told } from "../../fakes/watching.js";
import { connectRpc, RpcWatcher } from "../gateway-clients.js";
import type { StorePlace, StorePlaces } from "../shared-stores.js";
import { main, run } from "./run-cli.js";
import { type ServeProcess, startServe } from "./serve-process.js";

export interface GatewayPair {
  first: ServeProcess;
  second: ServeProcess;
  /** An admin's token for both. */
  token: string;
  place: StorePlace;
  /** Runs a command on their store. */
  command(...args: string[]): ReturnType<typeof run>;
}

/** Two gateways on one store, as processes, with different models so that one sees which of them answers. */
export async function startPair(
  places: () => Promise<StorePlaces>,
  args: readonly string[] = [],
): Promise<GatewayPair> {
  const [place, other] = await places().then((next) => [next(), next()] as const);
  const command = (...words: string[]) => {
    const env = { ...process.env, ...place.env };
    return run(process.execPath, [main, ...words, "--home", place.home], { env, cwd: place.home });
  };
  const token = (await command("token", "create", "--scope", "admin")).stdout.trim();
  const first = await startServe(place.home, ["--model", "demo/script", ...args], place.env);
  // This one finds nothing to resume when it starts.
  const second = await startServe(other.home, ["--model", "demo/echo", ...args], other.env);
  return { first, second, token, place, command };
}

/** A client of a gateway that watches a session, which it creates if there is none. */
export async function watching({ url }: ServeProcess, token: string, key: string) {
  const client = await connectRpc({ url, token });
  onTestFinished(() => client.close());
  await client.call("sessions.create", { key });
  return { client, watcher: new RpcWatcher(client, key) };
}

/** The messages of a session as they are in the store, in short. */
export async function stored({ open }: StorePlace, key: string): Promise<string[]> {
  const store = await open();
  const session = await store.log.open((await store.log.find(key)) ?? "");
  const messages = [];
  for await (const { message } of session.read()) messages.push(message);
  await session.close();
  await store.close();
  return told(messages);
}
