import { Type } from "@sinclair/typebox";
import type { Tool } from "../agent/types.js";
import { encodeText } from "./encode-text.js";
import type { Workspace } from "./workspace.js";

const parameters = Type.Object({
  file_path: Type.String({ description: "The file, relative to the workspace or absolute inside of it." }),
  content: Type.String({ description: "The whole new text of the file." }),
});

export interface WriteDetails {
  file_path: string;
  bytes: number;
  created: boolean;
}

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
      const { created } = await workspace.replace(workspace.locate(file_path), bytes);
      return {
        content: `${created ? "Created" : "Replaced"} ${file_path}: ${bytes.length} bytes.`,
        details: { file_path, bytes: bytes.length, created },
      };
    },
  };
}
