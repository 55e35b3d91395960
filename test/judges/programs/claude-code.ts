import type { Program } from "./program.js";

export const claudeCode: Program = {
  name: "claude-code",
  title: "Claude Code",
  command: "claude",
  package: "@anthropic-ai/claude-code-linux-x64",
  version: "2.1.325",
  entry: "@anthropic-ai/claude-code-linux-x64/claude",
  apis: ["anthropic"],
  connect: ({ url, key, model }) => ({
    env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, ANTHROPIC_MODEL: model },
  }),
  isolate: {
    env: {
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_AUTOUPDATER: "1",
      // Root may skip the questions for permission only in a sandbox.
      IS_SANDBOX: "1",
    },
    args: ["--dangerously-skip-permissions"],
  },
  run: (prompt, args) => ["-p", ...args, prompt],
  sessions: {
    resume: (session, prompt, args) => ["-p", ...args, "--resume", session, prompt],
    compacts: true,
    // Earlier versions store sub-agents beside sessions.
    files: /^\.claude\/projects\/[^/]+\/(?!agent-)[^/]+\.jsonl$/,
  },
  earlier: ["2.0.76", "1.0.100"].map((version) => ({
    version,
    package: "@anthropic-ai/claude-code",
    entry: "@anthropic-ai/claude-code/cli.js",
    node: "any",
  })),
};
