import type { DragomanClient, Result } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useMay } from "../app-context.js";

type ServerStatus = Result<"mcp.status">["servers"][number];

/** How often servers are asked for again while one is missing. */
const AGAIN_MS = 10_000;

/** Names the MCP servers of an agent whose tools are missing, and why. */
export function MissingServers({ agent }: { agent: string }) {
  const { client } = useConnected();
  const may = useMay();
  const missing = useMissing(client, agent, may("mcp.status"));
  if (missing.length === 0) return null;
  return (
    <div className="missing-servers" role="status">
      <ul>
        {missing.map(({ name, state, why }) => (
          <li key={name}>
            {state === "starting"
              ? texts.chat.serverStarting(visible(name))
              : texts.chat.serverMissing(visible(name), visible(why ?? state))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useMissing(client: DragomanClient, agent: string, isAllowed: boolean): ServerStatus[] {
  const [missing, setMissing] = useState<ServerStatus[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isCurrent = isAllowed;
    const load = async () => {
      const { servers } = await client.call("mcp.status", { agent });
      const found = servers.filter(({ state }) => state !== "ready" && state !== "disabled");
      if (!isCurrent) return;
      setMissing(found);
      if (found.length > 0) timer = setTimeout(start, AGAIN_MS);
    };
    // Without a connection the page shows that already.
    const start = () => void load().catch(() => undefined);
    if (isAllowed) start();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [client, agent, isAllowed]);
  return missing;
}
