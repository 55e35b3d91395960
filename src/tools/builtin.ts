import type { Tool } from "../agent/types.js";
import { type EditLimits, editTool } from "./edit.js";
import { type ExecOptions, execTool } from "./exec.js";
import { type ReadLimits, readTool } from "./read.js";
import { Workspace } from "./workspace.js";
import { writeTool } from "./write.js";

export interface BuiltinToolsOptions {
  /** The folder that `read`, `write` and `edit` are confined to; commands start in it. */
  workspace: string;
  /** Folders that `read`, `write` and `edit` refuse, unless the workspace is inside them. */
  hide?: readonly string[];
  read?: Partial<ReadLimits>;
  edit?: Partial<EditLimits>;
  exec?: Partial<ExecOptions>;
}

/**
 * The tools `read`, `write`, `edit` and `exec`.
 *
 * @example
 * const tools = builtinTools({ workspace: process.cwd(), exec: { timeoutSeconds: 30 } });
 */
export function builtinTools({ workspace: root, hide, read, edit, exec }: BuiltinToolsOptions): Tool[] {
  const workspace = new Workspace(root, undefined, hide);
  return [
    readTool(workspace, read),
    writeTool(workspace),
    editTool(workspace, edit),
    execTool(workspace, exec),
  ];
}
