import { onTestFinished } from "vitest";
import type { Config } from "../../../src/runtime/schema.js";
import { type Behaviour, type FailingProvider, failingProvider, KEY } from "../../fakes/failing-provider.js";
import type { ServedApi } from "../../fakes/strict/provider.js";
import type { ModelGateway } from "./gateway.js";

export interface ListOptions {
  maxRetries?: number;
  silenceMs?: number;
  config?: Config;
}

/** Restarts a gateway so that its model `smart` is a list of two: one of the provider `one`, then one of the provider `two`. */
export function modelList(gateway: () => ModelGateway) {
  return async (
    [firstApi, first]: [ServedApi, Behaviour],
    [secondApi, second]: [ServedApi, Behaviour],
    { maxRetries = 0, silenceMs, config }: ListOptions = {},
  ): Promise<[FailingProvider, FailingProvider]> => {
    const one = await failingProvider(firstApi, first);
    const two = await failingProvider(secondApi, second);
    onTestFinished(async () => {
      await one.close();
      await two.close();
    });
    await gateway().restart(
      {
        providers: {
          one: { baseUrl: one.baseUrl, api: firstApi, apiKey: KEY, maxRetries },
          two: { baseUrl: two.baseUrl, api: secondApi, apiKey: KEY, maxRetries },
        },
        aliases: { smart: { models: [`one/${one.model}`, `two/${two.model}`] } },
        ...config,
      },
      silenceMs === undefined ? {} : { silenceMs },
    );
    return [one, two];
  };
}
