/**
 * An agent as a program for `node -e`. It appends each prompt, and its process id before that, to the file in `ACP_RECORD`. A
 * prompt with `hang` gets the first half of an answer only; every other one is answered.
 */
export const acpProgram = `
  const { appendFileSync } = require("node:fs");
  const note = (text) => appendFileSync(process.env.ACP_RECORD, text + "\\n");
  const send = (frame) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...frame }) + "\\n");
  const say = (sessionId, text) => send({
    method: "session/update",
    params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
  });
  const answer = ({ method, params }) => {
    switch (method) {
      case "initialize": return {
        protocolVersion: 1,
        agentCapabilities: { sessionCapabilities: { resume: {} } },
        agentInfo: { name: "fake-agent", version: "1.2.3" },
        authMethods: [],
      };
      case "session/new": return { sessionId: "s1" };
      case "session/resume": note("resume " + params.sessionId); return {};
      case "session/prompt": {
        const [{ text }] = params.prompt;
        note("pid " + process.pid);
        note("prompt " + text);
        if (text === "hang") { say(params.sessionId, "half"); return undefined; }
        say(params.sessionId, "answer to " + text);
        return { stopReason: "end_turn" };
      }
    }
  };
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\\n");
    rest = lines.pop();
    for (const line of lines) {
      const message = JSON.parse(line);
      const result = answer(message);
      if (message.id !== undefined && result !== undefined) send({ id: message.id, result });
    }
  });
`;
