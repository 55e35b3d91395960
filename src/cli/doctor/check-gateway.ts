import { type GatewaySettings, isLoopback, urlOf } from "../../gateway/settings.js";
import { findGateway } from "../running-gateway.js";
import { type Finding, ok, problem, warning } from "./finding.js";

const TIMEOUT_MS = 2_000;

/** Whether the home's gateway is running, or could start. */
export async function checkGateway(home: string, { host, port }: GatewaySettings): Promise<Finding[]> {
  const findings = isLoopback(host)
    ? []
    : [
        warning(
          "gateway",
          `other computers can reach ${host}, and traffic is not encrypted`,
          "put a TLS proxy in front of it, or use 127.0.0.1",
        ),
      ];
  const running = await findGateway(home);
  if (running !== undefined) return [...findings, ok("gateway", `running at ${running}`)];
  const where = `${host}, port ${port}`;
  if (port === 0 || (await isFree(urlOf({ host, port })))) {
    return [...findings, ok("gateway", `${where}: free`)];
  }
  return [
    ...findings,
    problem(
      "gateway",
      `${where}: in use by another program, or by the gateway of another home`,
      "choose another port with --port or gateway.port",
    ),
  ];
}

async function isFree(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) });
    return false;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED";
  }
}
