import { ownName } from "../../mcp/own-name.js";
import type { Runtime } from "../../runtime/runtime.js";

/** What an agent is, and where it is served. Clients that do not state a version may need the fields of 0.3. */
export function agentCard(
  { agents }: Pick<Runtime, "agents">,
  agent: string,
  origin: string,
  isLegacy: boolean,
): object {
  const url = `${origin}/a2a/${encodeURIComponent(agent)}`;
  const description = agents.descriptionOf(agent);
  const shared = {
    name: agent,
    description,
    version: ownName().version,
    capabilities: { streaming: true, pushNotifications: false },
    defaultInputModes: ["text/plain", "application/json", "image/*", "audio/*"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "chat", name: "Chat", description, tags: ["chat"] }],
    supportedInterfaces: [
      { url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ],
  };
  if (isLegacy) {
    return {
      ...shared,
      protocolVersion: "0.3.0",
      url,
      preferredTransport: "JSONRPC",
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      security: [{ bearer: [] }],
    };
  }
  return {
    ...shared,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  };
}
