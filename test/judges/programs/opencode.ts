import type { Program } from "./program.js";

export const opencode: Program = {
  name: "opencode",
  title: "opencode",
  command: "opencode",
  package: "opencode-linux-x64",
  version: "1.18.34",
  entry: "opencode-linux-x64/bin/opencode",
  apis: ["openai-chat"],
  connect: ({ url, key, model }) => ({
    files: {
      ".config/opencode/opencode.json": {
        model: `dragoman/${model}`,
        small_model: `dragoman/${model}`,
        provider: {
          dragoman: {
            npm: "@ai-sdk/openai-compatible",
            name: "Dragoman",
            options: { baseURL: `${url}/v1`, apiKey: key },
            models: {
              [model]: {
                tool_call: true,
                reasoning: true,
                attachment: true,
                modalities: { input: ["text", "image"], output: ["text"] },
                options: { reasoningEffort: "high" },
              },
            },
          },
        },
      },
    },
  }),
  isolate: {
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
    files: {
      ".config/opencode/opencode.json": { autoupdate: false, share: "disabled", permission: "allow" },
    },
  },
  run: (prompt, args) => ["run", ...args, prompt],
  sessions: {
    // The session names the model of its last prompt, which is not configured here.
    resume: (session, prompt, args, model) => [
      "run",
      ...args,
      "--session",
      session,
      "--model",
      `dragoman/${model}`,
      prompt,
    ],
    compacts: true,
    files: /^$/,
    exported: {
      list: ["session", "list", "--format", "json"],
      idIn: (list) => JSON.parse(list)[0].id,
      print: (session) => ["export", session],
    },
  },
};
