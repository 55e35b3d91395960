import type { ServedApi } from "../../fakes/strict/provider.js";
import type { Program } from "./program.js";

/** What pi calls an API, and where its client expects it below the gateway's address. */
const apis: Partial<Record<ServedApi, { api: string; path: string }>> = {
  anthropic: { api: "anthropic-messages", path: "" },
  "openai-chat": { api: "openai-completions", path: "/v1" },
  "openai-responses": { api: "openai-responses", path: "/v1" },
  google: { api: "google-generative-ai", path: "/v1beta" },
};

export const pi: Program = {
  name: "pi",
  title: "pi",
  command: "pi",
  package: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  entry: "@earendil-works/pi-coding-agent/dist/cli.js",
  node: ">=22",
  apis: ["anthropic", "openai-chat", "openai-responses", "google"],
  connect({ url, key, model, api: name }) {
    const { api = "", path = "" } = apis[name] ?? {};
    const models = [{ id: model, reasoning: true, input: ["text", "image"] }];
    return {
      files: {
        ".pi/agent/models.json": {
          providers: { dragoman: { baseUrl: `${url}${path}`, api, apiKey: key, models } },
        },
      },
      args: ["--provider", "dragoman", "--model", model],
    };
  },
  isolate: {
    env: { PI_OFFLINE: "1" },
    args: ["--offline", "--no-extensions", "--no-skills", "--no-context-files"],
  },
  run: (prompt, args) => ["-p", ...args, prompt],
  sessions: {
    resume: (session, prompt, args) => ["-p", ...args, "--session", session, prompt],
    compacts: true,
    files: /^\.pi\/agent\/sessions\/[^/]+\/[^/]+\.jsonl$/,
  },
};
