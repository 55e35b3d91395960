import { isUtf8 } from "node:buffer";
import * as Type from "@sinclair/typebox";
import type { Tool } from "../agent/types.js";
import { DragomanError } from "../core/error.js";
import { encodeText } from "./encode-text.js";
import { kindOf } from "./file-kind.js";
import { unifiedDiff } from "./unified-diff.js";
import type { Location, Workspace } from "./workspace.js";

const parameters = Type.Object({
  file_path: Type.String({ description: "The file, relative to the workspace or absolute inside of it." }),
  content: Type.String({ description: "The whole new text of the file." }),
});

export interface WriteDetails {
  file_path: string;
  bytes: number;
  created: boolean;
  /** A unified diff, if the file was replaced and both versions are short text. */
  diff?: string;
}

/** Larger files are replaced without a diff. */
const MAX_DIFF_BYTES = 1_000_000;

/** Writes a whole file, all or nothing, and creates missing folders. */
export function writeTool(workspace: Workspace): Tool<typeof parameters, WriteDetails> {
  return {
    name: "write",
    description:
      "Writes a text file: creates it, with the folders it needs, or replaces all of it. Use edit to change parts of a file.",
    parameters,
    sequential: true,
    subjectKind: "path",
    subject: ({ file_path }) => workspace.subject(file_path),
    async execute({ file_path, content }) {
      const bytes = encodeText(content, "content");
      const location = workspace.locate(file_path);
      const before = bytes.length <= MAX_DIFF_BYTES ? await shortText(workspace, location) : undefined;
      const { created } = await workspace.replace(location, bytes);
      const diff =
        before === undefined || created ? {} : { diff: unifiedDiff(location.path, before, content) };
      return {
        content: `${created ? "Created" : "Replaced"} ${file_path}: ${bytes.length} bytes.`,
        details: { file_path, bytes: bytes.length, created, ...diff },
      };
    },
  };
}

/** The file's text; undefined if it is missing, large or not text. A file that cannot be read can still be replaced. */
async function shortText(workspace: Workspace, location: Location): Promise<string | undefined> {
  if (!location.exists) return undefined;
  try {
    return await workspace.open(location, async ({ handle, info }) => {
      if (!info.isFile() || info.size > MAX_DIFF_BYTES) return undefined;
      const bytes = await handle.readFile();
      return kindOf(bytes) === undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
    });
  } catch (error) {
    if (error instanceof DragomanError) return undefined;
    throw error;
  }
}
