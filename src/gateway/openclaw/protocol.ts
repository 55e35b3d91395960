import type { Gateway, Protocol } from "../types.js";
import type { Hub } from "./hub.js";

/** `WS /openclaw`: the chat part of OpenClaw's gateway protocol, version 4, for OpenClaw's own clients. */
export function openClawProtocol(gateway: Gateway): Protocol {
  let hub: Promise<Hub> | undefined;
  // Loaded by the first client: a gateway that serves none starts without it.
  const load = () => {
    hub ??= import("./hub.js").then(({ Hub }) => new Hub(gateway));
    return hub;
  };
  return {
    guests: [
      {
        path: "/openclaw",
        scope: "read",
        async welcome(guest, { id }) {
          const [{ welcome }, shared] = await Promise.all([import("./handshake.js"), load()]);
          await welcome(guest, shared, id);
        },
      },
    ],
  };
}
