import { isUtf8 } from "node:buffer";
import * as Type from "@sinclair/typebox";
import type { Tool } from "../agent/types.js";
import { DragomanError } from "../core/error.js";
import type { Opened } from "./anchor.js";
import { encodeText } from "./encode-text.js";
import { kindOf } from "./file-kind.js";
import { applyReplacements } from "./replacements.js";
import { unifiedDiff } from "./unified-diff.js";
import { notAFile, type Workspace } from "./workspace.js";

export interface EditLimits {
  /** Larger files are not edited. */
  maxBytes: number;
}

const parameters = Type.Object({
  file_path: Type.String({ description: "The file, relative to the workspace or absolute inside of it." }),
  edits: Type.Array(
    Type.Object({
      old_string: Type.String({ description: "The text to replace, exactly as it is in the file." }),
      new_string: Type.String({ description: "The text to put there." }),
      replace_all: Type.Optional(
        Type.Boolean({ description: "Replace every match instead of the only one." }),
      ),
    }),
    { minItems: 1, description: "Applied in order, all or none." },
  ),
});

export interface EditDetails {
  file_path: string;
  /** The number of replacements. */
  replaced: number;
  /** A unified diff. */
  diff: string;
}

/** Replaces exact parts of a text file. Its byte order mark and line endings stay. */
export function editTool(
  workspace: Workspace,
  { maxBytes = 10_000_000 }: Partial<EditLimits> = {},
): Tool<typeof parameters, EditDetails> {
  return {
    name: "edit",
    description:
      "Changes parts of a text file by exact replacement. Each old_string must be in the file exactly once, unless replace_all is set; " +
      "include enough of the surrounding lines to make it unique. Several edits are applied in order, all or none.",
    parameters,
    sequential: true,
    subjectKind: "path",
    subject: ({ file_path }) => workspace.subject(file_path),
    async execute({ file_path, edits }) {
      const location = workspace.locate(file_path);
      const { text: before, info } = await workspace.open(location, async (opened) => ({
        text: await textOf(file_path, opened, maxBytes),
        info: opened.info,
      }));
      const mark = before.startsWith("\ufeff") ? "\ufeff" : "";
      const { text, replaced } = applyReplacements(before.slice(mark.length), edits);
      const after = mark + text;
      await workspace.replace(location, encodeText(after, "new_string"), info);
      return {
        content: `Edited ${file_path}: ${replaced} ${replaced === 1 ? "place" : "places"} replaced.`,
        details: { file_path, replaced, diff: unifiedDiff(location.path, before, after) },
      };
    },
  };
}

async function textOf(file_path: string, { handle, info }: Opened, maxBytes: number): Promise<string> {
  if (info.isDirectory()) throw notAFile(file_path, "a directory");
  if (info.size > maxBytes) {
    const message = `"${file_path}" has ${info.size} bytes; files of more than ${maxBytes} are not edited`;
    throw new DragomanError("tools/too-large", message);
  }
  const bytes = await handle.readFile();
  const kind = kindOf(bytes)?.name ?? (isUtf8(bytes) ? undefined : "not valid UTF-8");
  if (kind === undefined) return bytes.toString("utf8");
  throw new DragomanError("tools/not-text", `"${file_path}" is ${kind}; it cannot be edited as text`);
}
