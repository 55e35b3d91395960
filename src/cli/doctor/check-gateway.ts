import { type GatewaySettings, isLoopback, urlOf } from "../../gateway/settings.js";
import { probeGateway } from "../running-gateway.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Whether the port is free, or a gateway is running there. */
export async function checkPort({ host, port }: GatewaySettings): Promise<Finding[]> {
  const where = `${host}, port ${port}`;
  const findings = isLoopback(host)
    ? []
    : [
        warning(
          "gateway",
          `other computers can reach ${host}, and traffic is not encrypted`,
          "put a TLS proxy in front of it, or use 127.0.0.1",
        ),
      ];
  switch (port === 0 ? "none" : await probeGateway(urlOf({ host, port }))) {
    case "none":
      return [...findings, ok("gateway", `${where}: free`)];
    case "gateway":
      return [...findings, ok("gateway", `${where}: a gateway is running`)];
    case "other":
      return [
        ...findings,
        problem(
          "gateway",
          `${where}: in use by another program`,
          "choose another port with --port or gateway.port",
        ),
      ];
  }
}
