import type { DialectName } from "../../dialects/registry.js";
import { OPENCODE_DATA, opencodeDatabase, type Places, qwenFolder } from "./chosen-places.js";
import type { Environment } from "./expand-folder.js";

/** Where a program keeps its sessions. */
export interface Program {
  title: string;
  /** Default: detected in each file. */
  dialect?: DialectName;
  /** Folders, as `expandFolder` reads them. */
  roots: readonly string[];
  /**
   * The session files below a root, as `FilePattern` reads them. If a program has kept sessions in several ways, the latest
   * comes first: it hides older copies of a session.
   */
  files: string | readonly string[];
  /** Further places that the user has chosen in the program's settings; they come first. */
  chosen?(env: Environment, userHome: string): Partial<Places>;
}

/** The programs whose sessions are found without configuration. Adding one is a line here. */
export const programs: Readonly<Record<string, Program>> = {
  "claude-code": {
    title: "Claude Code",
    dialect: "claude-code",
    roots: [`\${CLAUDE_CONFIG_DIR:-~/.claude}/projects`, "~/.config/claude/projects"],
    files: "*/{uuid}.jsonl",
  },
  codex: {
    title: "Codex",
    dialect: "codex",
    roots: [`\${CODEX_HOME:-~/.codex}/sessions`, `\${CODEX_HOME:-~/.codex}/archived_sessions`],
    // Compressed files (`.jsonl.zst`) cannot be read; they are listed as damaged.
    files: "**/rollout-*-{uuid}*.jsonl*",
  },
  opencode: {
    title: "opencode",
    dialect: "opencode",
    roots: [OPENCODE_DATA],
    // Other release channels have a database of their own. Files are the way of versions before 2026.
    files: ["opencode*.db/{id}", "storage/session/*/{id}.json"],
    chosen: opencodeDatabase,
  },
  "gemini-cli": {
    title: "Gemini CLI",
    dialect: "gemini-cli",
    roots: [`\${GEMINI_CLI_HOME:-~}/.gemini/tmp`],
    // Older versions wrote JSON documents. Sub-agents are in a folder with the id of the session that started them.
    files: ["*/chats/session-*.json*", "*/chats/*/*.jsonl"],
  },
  "qwen-code": {
    title: "Qwen Code",
    dialect: "qwen-code",
    roots: ["projects", "tmp"].map((name) => `\${QWEN_RUNTIME_DIR:-\${QWEN_HOME:-~/.qwen}}/${name}`),
    files: ["*/chats/{id}.jsonl", "*/chats/archive/{id}.jsonl"],
    chosen: qwenFolder,
  },
  "copilot-cli": {
    title: "Copilot CLI",
    dialect: "copilot-cli",
    roots: ["~/.copilot/session-state"],
    files: "{id}/events.jsonl",
  },
  cursor: {
    title: "Cursor",
    dialect: "cursor",
    roots: ["~/.cursor/projects"],
    files: ["*/agent-transcripts/*/{id}.jsonl", "*/agent-transcripts/*/subagents/{id}.jsonl"],
  },
  cline: {
    title: "Cline",
    dialect: "cline",
    roots: [`\${CLINE_DIR:-~/.cline}/data/sessions`],
    files: "*/{id}.messages.json",
  },
  pi: {
    title: "pi",
    dialect: "pi",
    roots: [`\${PI_CODING_AGENT_DIR:-~/.pi/agent}/sessions`],
    files: "**/*_{id}.jsonl",
  },
  openclaw: {
    title: "OpenClaw",
    roots: [`\${OPENCLAW_STATE_DIR:-~/.openclaw}/agents`],
    files: "*/sessions/{id}.jsonl",
  },
};
