import type { Program } from "./program.js";

export const codex: Program = {
  name: "codex",
  title: "Codex",
  command: "codex",
  package: "@openai/codex",
  version: "0.166.0",
  spec: (version) => `@openai/codex@${version}-linux-x64`,
  entry: "@openai/codex/vendor/x86_64-unknown-linux-musl/bin/codex",
  apis: ["openai-responses"],
  connect: ({ url, key, model }) => ({
    env: { DRAGOMAN_KEY: key },
    files: {
      ".codex/config.toml": `model = "${model}"
model_provider = "dragoman"
model_reasoning_effort = "high"

[model_providers.dragoman]
name = "Dragoman"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "DRAGOMAN_KEY"
`,
    },
  }),
  isolate: {
    args: [
      'approval_policy="never"',
      'sandbox_mode="danger-full-access"',
      "check_for_update_on_startup=false",
      "analytics.enabled=false",
      "features.plugins=false",
      "features.apps=false",
      "features.remote_plugin=false",
      "features.plugin_discovery_prefetch=false",
    ].flatMap((setting) => ["-c", setting]),
  },
  run: (prompt, args) => ["exec", "--skip-git-repo-check", ...args, prompt],
  sessions: {
    resume: (session, prompt, args) => ["exec", "--skip-git-repo-check", ...args, "resume", session, prompt],
    compacts: true,
    files: /^\.codex\/sessions\/.*\.jsonl$/,
  },
  earlier: [{ version: "0.125.0", entry: "@openai/codex/vendor/x86_64-unknown-linux-musl/codex/codex" }],
};
