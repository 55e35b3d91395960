export interface Notice {
  title: string;
  description: string;
}

/** What a client asked for with a session and does not get. */
export function unmetWishes(
  unsupported: readonly string[],
  additionalDirectories: readonly string[] = [],
): Notice[] {
  const notices: Notice[] = [];
  if (unsupported.length > 0) {
    notices.push({
      title: `Dragoman cannot connect to these MCP servers of the editor: ${unsupported.join(", ")}`,
      description: "It supports programs and streamable HTTP.",
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
