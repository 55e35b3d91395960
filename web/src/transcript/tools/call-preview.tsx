import { isObject, type ToolCall } from "dragoman/core";
import { texts } from "../../text/texts.js";
import { LongText } from "../long-text.js";
import { visible } from "../visible-text.js";
import { Diff } from "./diff.js";
import { json } from "./tool-arguments.js";

/** What a call would do: the command it would run, the change to a file, or its arguments. */
export function CallPreview({ call, subject }: { call: ToolCall; subject?: string | undefined }) {
  const args = call.arguments;
  const { command, file_path: path, content, edits } = args;
  if (typeof command === "string") return <LongText text={command} />;
  if (typeof path === "string" && typeof content === "string") {
    return <FileChange path={path} text={prefixed(content, "+")} />;
  }
  if (typeof path === "string" && Array.isArray(edits)) {
    return <FileChange path={path} text={edits.map(editText).join("\n@@\n")} />;
  }
  if (typeof path === "string" && Object.keys(args).length === 1) return <LongText text={path} />;
  return <LongText text={subject === undefined ? json(args) : `${subject}\n${json(args)}`} />;
}

function FileChange({ path, text }: { path: string; text: string }) {
  return (
    <>
      <p className="call-path">
        <code>{visible(path)}</code>
      </p>
      <Diff text={text} />
    </>
  );
}

/** A replacement as lines of a diff. */
function editText(edit: unknown): string {
  if (!isObject(edit)) return json(edit);
  const { old_string: before, new_string: after, replace_all: all } = edit;
  if (typeof before !== "string" || typeof after !== "string") return json(edit);
  const everywhere = all === true ? [`@@ ${texts.transcript.tool.everywhere}`] : [];
  return [...everywhere, prefixed(before, "-"), prefixed(after, "+")]
    .filter((part) => part !== "")
    .join("\n");
}

function prefixed(text: string, sign: string): string {
  if (text === "") return "";
  return text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => `${sign}${line}`)
    .join("\n");
}
