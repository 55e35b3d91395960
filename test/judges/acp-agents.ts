import type { ServedApi } from "../fakes/strict/provider.js";
import { installProgram, type Package } from "./install.js";
import { claudeCode } from "./programs/claude-code.js";
import { codex } from "./programs/codex.js";
import { geminiCli } from "./programs/gemini-cli.js";
import type { Connection, Settings } from "./programs/program.js";

/** A released program that speaks ACP, and how it is pointed at a model. */
export interface AcpAgent extends Package {
  version: string;
  api: ServedApi;
  provider: string;
  args?: readonly string[];
  authMethod?: string;
  settings(connection: Connection): Promise<Settings[]>;
  /** False if its sessions cannot be continued (default: true). */
  resume?: boolean;
}

const CODEX_SETTINGS = `approval_policy = "on-request"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
`;

const CODEX_TABLES = `
[analytics]
enabled = false
[features]
plugins = false
apps = false
remote_plugin = false
plugin_discovery_prefetch = false
`;

export const acpAgents: readonly AcpAgent[] = [
  {
    name: "gemini-cli",
    title: "Gemini CLI",
    package: geminiCli.package,
    version: geminiCli.version,
    entry: geminiCli.entry,
    node: "any",
    api: "google",
    provider: "google",
    args: ["--acp"],
    authMethod: "gemini-api-key",
    // It answers `session/load`, and then sends calls without their results, which the API refuses.
    resume: false,
    settings: async (connection) => [
      geminiCli.connect(connection),
      { env: geminiCli.isolate.env ?? {}, files: geminiCli.isolate.files ?? {} },
    ],
  },
  {
    name: "codex-acp",
    title: "Codex (codex-acp)",
    package: "@agentclientprotocol/codex-acp",
    version: "2.6.0",
    entry: "@agentclientprotocol/codex-acp/dist/index.js",
    node: ">=22",
    api: "openai-responses",
    provider: "openai",
    async settings(connection) {
      const { command } = await installProgram(codex, codex.version);
      const { env = {}, files = {} } = codex.connect(connection);
      const config = `${CODEX_SETTINGS}${String(files[".codex/config.toml"])}${CODEX_TABLES}`;
      return [{ env: { ...env, CODEX_PATH: command[0] ?? "" }, files: { ".codex/config.toml": config } }];
    },
  },
  {
    name: "claude-agent-acp",
    title: "Claude Code (claude-agent-acp)",
    package: "@agentclientprotocol/claude-agent-acp",
    version: "0.99.1",
    entry: "@agentclientprotocol/claude-agent-acp/dist/index.js",
    node: ">=22",
    api: "anthropic",
    provider: "anthropic",
    settings: async (connection) => [claudeCode.connect(connection), { env: claudeCode.isolate.env ?? {} }],
  },
];
