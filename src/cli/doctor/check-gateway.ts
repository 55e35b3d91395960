import { type GatewaySettings, isLoopback } from "../../gateway/settings.js";
import { urlOf, whoAnswers } from "../running-gateway.js";
import { type Finding, ok, problem, warning } from "./finding.js";

/** Whether the port is free, or a gateway answers there. */
export async function checkPort({ host, port }: GatewaySettings): Promise<Finding[]> {
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
  switch (port === 0 ? "nobody" : await whoAnswers(urlOf({ host, port }))) {
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
