import { claudeCode } from "./claude-code.js";
import { codex } from "./codex.js";
import { geminiCli } from "./gemini-cli.js";
import { opencode } from "./opencode.js";
import { pi } from "./pi.js";
import type { Program } from "./program.js";
import { qwenCode } from "./qwen-code.js";

export const programs: readonly Program[] = [claudeCode, codex, geminiCli, opencode, pi, qwenCode];
