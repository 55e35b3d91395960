import type { Program } from "./program.js";

export const geminiCli: Program = {
  name: "gemini-cli",
  title: "Gemini CLI",
  command: "gemini",
  package: "@google/gemini-cli",
  version: "0.61.0",
  entry: "@google/gemini-cli/bundle/gemini.js",
  node: "any",
  apis: ["google"],
  connect: ({ url, key, model }) => ({
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: key },
    files: { ".gemini/settings.json": { security: { auth: { selectedType: "gemini-api-key" } } } },
    args: ["-m", model],
  }),
  isolate: {
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    files: {
      ".gemini/settings.json": {
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { enableAutoUpdate: false },
      },
    },
    args: ["--yolo"],
  },
  run: (prompt, args) => [...args, "-p", prompt],
  sessions: {
    resume: (session, prompt, args) => [...args, "--resume", session, "-p", prompt],
    // Calls of other models have no signature, which a later model refuses in a running turn.
    model: "gemini-2.5-flash",
    compacts: false,
    files: /^\.gemini\/tmp\/[^/]+\/chats\/session-[^/]+\.jsonl$/,
  },
};
