import type { Program } from "./program.js";

export const qwenCode: Program = {
  name: "qwen-code",
  title: "Qwen Code",
  command: "qwen",
  package: "@qwen-code/qwen-code",
  version: "0.15.10",
  entry: "@qwen-code/qwen-code/cli.js",
  node: "any",
  apis: ["openai-chat"],
  connect: ({ url, key, model }) => ({
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key, OPENAI_MODEL: model },
    files: {
      ".qwen/settings.json": {
        security: { auth: { selectedType: "openai" } },
        // Servers of this API accept images from users only, not in results.
        model: { generationConfig: { modalities: { image: true }, splitToolMedia: true } },
      },
    },
  }),
  isolate: {
    files: {
      ".qwen/settings.json": {
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
    // It sends images only to models that it knows to accept them.
    model: "gpt-4o",
    compacts: true,
    files: /^\.qwen\/projects\/[^/]+\/chats\/[^/]+\.jsonl$/,
  },
};
