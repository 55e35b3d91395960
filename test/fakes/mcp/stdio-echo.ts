/**
 * A legacy server as a program for `node -e`: `echo` repeats its argument, `crash` exits, `hang` never answers. It records its
 * own process id, ignores SIGTERM and the end of its input if told so, and writes to its standard error.
 */
export function echoProgram({ stubborn = false, stderr = "" } = {}): string {
  return `
    ${stubborn ? 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);' : ""}
    process.stderr.write(${JSON.stringify(stderr)});
    const text = (text) => ({ content: [{ type: "text", text }] });
    const answer = ({ method, params }) => {
      if (method === "initialize") return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "echo", version: "1.0.0" },
      };
      if (method === "tools/list") return {
        tools: ["echo", "crash", "hang", "pid", "secret"].map((name) => ({ name, inputSchema: { type: "object" } })),
      };
      switch (params.name) {
        case "echo": return text(String(params.arguments.text));
        case "pid": return text(String(process.pid));
        case "secret": return text(String(process.env.ECHO_SECRET ?? "none") + " " + String(process.env.OUTER_TOKEN ?? "none"));
        case "crash": process.exit(3);
      }
    };
    let rest = "";
    process.stdin.on("data", (chunk) => {
      const lines = (rest + chunk).split("\\n");
      rest = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.id === undefined) continue;
        const result = answer(message);
        if (result !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id: message.id, result }));
      }
    });
  `;
}
