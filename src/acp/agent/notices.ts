import type { AcpMcpServer } from "../wire.js";

export interface Notice {
  title: string;
  description: string;
}

/** What a client asked for with a session and does not get. */
export function unmetWishes(wishes: {
  mcpServers?: readonly AcpMcpServer[];
  additionalDirectories?: readonly string[];
}): Notice[] {
  const { mcpServers = [], additionalDirectories = [] } = wishes;
  const notices: Notice[] = [];
  // Connect the client's servers to the agent here, once the runtime accepts MCP servers for a session.
  if (mcpServers.length > 0) {
    notices.push({
      title: `Dragoman does not use the MCP servers of the editor: ${mcpServers.map(({ name }) => name).join(", ")}`,
      description: "Their tools are not available in this session.",
    });
  }
  if (additionalDirectories.length > 0) {
    notices.push({
      title: `Dragoman does not use additional directories: ${additionalDirectories.join(", ")}`,
      description: "The tools work in the session's folder only.",
    });
  }
  return notices;
}

/** For a client that opens a session in another folder than the session's. */
export function otherFolder(cwd: string, wanted: string): Notice {
  return {
    title: `This session works in ${cwd}`,
    description: `The editor opened it for ${wanted}; a session keeps the folder that it was started in.`,
  };
}
