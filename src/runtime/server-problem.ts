import type { McpServerSettings } from "../mcp/settings.js";

/** What is wrong with the settings of a server, and what to do; undefined if nothing is. */
export function problemIn(settings: McpServerSettings): { message: string; hint: string } | undefined {
  const { type, command, url, args, env, cwd, headers, oauth } = settings;
  if (type === "sse") {
    return {
      message: 'the transport "sse" is not supported',
      hint: 'use the server\'s URL for streamable HTTP, with the type "http"',
    };
  }
  if (command !== undefined && url !== undefined) {
    return { message: "a server has either `command` or `url`", hint: "remove one of them" };
  }
  if (command === undefined && url === undefined) {
    return {
      message: "a server needs `command` or `url`",
      hint: "add the program to run, or the server's address",
    };
  }
  if (type !== undefined && (type === "stdio") !== (command !== undefined)) {
    return { message: `the type "${type}" does not fit`, hint: "remove `type`: `command` or `url` says it" };
  }
  if (command === undefined && (args ?? env ?? cwd) !== undefined) {
    return { message: "`args`, `env` and `cwd` need `command`", hint: "remove them" };
  }
  if (url === undefined && (headers ?? oauth) !== undefined) {
    return { message: "`headers` and `oauth` need `url`", hint: "remove them" };
  }
  return undefined;
}
