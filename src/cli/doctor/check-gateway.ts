import { parseJson } from "../../core/json/parse.js";
import { isObject } from "../../core/json/value.js";
import { type GatewaySettings, isLoopback } from "../../gateway/settings.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const PATIENCE_MS = 2_000;

/** Whether the port is free, or a gateway answers there. */
export async function checkPort({ host, port }: GatewaySettings): Promise<Finding[]> {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  const where = `${host}, port ${port}`;
  const findings = isLoopback(host)
    ? []
    : [
        warning(
          "gateway",
          `others can reach ${host}, and what they send is not encrypted`,
          "put a proxy with TLS in front of it, or use 127.0.0.1",
        ),
      ];
  const answer =
    port === 0 ? "nobody" : await ask(`http://${name.includes(":") ? `[${name}]` : name}:${port}`);
  switch (answer) {
    case "nobody":
      return [...findings, ok("gateway", `${where}: free`)];
    case "gateway":
      return [...findings, ok("gateway", `${where}: a gateway is running`)];
    case "stranger":
      return [
        ...findings,
        problem(
          "gateway",
          `${where}: taken by another program`,
          "choose another with --port or gateway.port",
        ),
      ];
  }
}

async function ask(url: string): Promise<"nobody" | "gateway" | "stranger"> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const body = parseJson((await response.text()).slice(0, 1000));
    return isObject(body) && body["status"] === "ok" ? "gateway" : "stranger";
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const refused = cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
    return refused ? "nobody" : "stranger";
  }
}
