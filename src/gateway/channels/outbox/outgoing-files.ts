import { statSync } from "node:fs";
import { join } from "node:path";
import type { Media } from "../../../channels/types.js";
import { DragomanError } from "../../../core/error.js";
import { defined } from "../../../core/json/defined.js";
import type { ReplyPayload } from "../../../core/types.js";
import { kindOf } from "../../../tools/file-kind.js";
import { Workspace } from "../../../tools/workspace.js";
import { replaceLinks } from "./replace-links.js";

/** `workspace:chart.png`, a file of the account's agent; `workspace://helper/chart.png`, a file of another agent. */
const FILE_URL = /^workspace:(?:\/\/([A-Za-z0-9_-]+)\/)?(.*)$/s;

/**
 * Attaches the workspace files an answer links to. Links out of the workspace stay links; files that cannot be sent are
 * mentioned in the text.
 *
 * @param agent the answering agent, if it is not the account's agent
 */
export function withFiles(
  payload: ReplyPayload,
  root: string,
  mostBytes = Number.POSITIVE_INFINITY,
  agent?: string,
): ReplyPayload {
  const { text = "" } = payload;
  if (!text.includes("](")) return payload;
  const files = new Set<string>();
  const left = replaceLinks(text, (link, label, target) => {
    const file = fileAt(root, target);
    if (file === undefined) return link;
    const { path, bytes } = file;
    if (bytes === 0) return `${label} (the file \`${path}\` is empty)`;
    if (bytes > mostBytes) return `${label} (the file \`${path}\` is too large to send here)`;
    files.add(`workspace:${agent === undefined ? "" : `//${agent}/`}${encodeURI(path)}`);
    return label;
  });
  if (left === text) return payload;
  return { ...payload, text: left.trim(), ...(files.size === 0 ? {} : { mediaUrls: [...files] }) };
}

/** Opens a file that `withFiles` attached, in the workspace of the agent in its URL. */
export async function openFile(
  url: string,
  workspaceOf: (agent: string | undefined) => string,
  mostBytes: number,
): Promise<Media> {
  const [, agent, path] = FILE_URL.exec(url) ?? [];
  if (path === undefined) throw new DragomanError("tools/bad-path", `"${url}" is not a workspace file`);
  const workspace = new Workspace(workspaceOf(agent));
  const location = workspace.locate(decodeURI(path));
  return workspace.open(location, async ({ handle, info }) => {
    if (!info.isFile()) throw new DragomanError("tools/not-a-file", `"${location.path}" is not a file`);
    if (info.size > mostBytes) {
      throw new DragomanError("tools/too-large", `"${location.path}" is larger than ${mostBytes} bytes`);
    }
    const bytes = await handle.readFile();
    const kind = kindOf(bytes);
    const type = kind === undefined ? "text/plain" : (kind.image ?? kind.media);
    return defined({ bytes, mimeType: type, name: location.segments.at(-1) });
  });
}

/** The workspace file a link refers to, if any. */
function fileAt(root: string, target: string): { path: string; bytes: number } | undefined {
  if (/^[a-z][a-z0-9+.-]+:|^[#?]|^\/\//i.test(target)) return undefined;
  try {
    const { path, exists } = new Workspace(root).locate(decodeURI(target));
    const info = exists ? statSync(join(root, path), { throwIfNoEntry: false }) : undefined;
    return info?.isFile() === true ? { path, bytes: info.size } : undefined;
  } catch (error) {
    // Outside of the workspace, or not a path.
    if (error instanceof DragomanError || error instanceof URIError) return undefined;
    throw error;
  }
}
