import { resolve } from "node:path";
import { isObject } from "../../core/json/value.js";
import type { UserContent } from "../../core/types.js";
import type { Diff, ToolCallContent, ToolCallUpdate, ToolKind } from "../agent-messages.js";
import { blockOf } from "./content.js";
import { hunkDiffs } from "./diffs.js";

export interface ShownCall {
  id: string;
  name: string;
  args: unknown;
}

export interface ShownResult {
  content: readonly UserContent[];
  details?: unknown;
  isError: boolean;
}

const TITLE_LENGTH = 120;

/** How tools whose arguments we know are shown. Others are shown by their name and first text argument. */
const kinds: Readonly<Record<string, ToolKind>> = {
  read: "read",
  write: "edit",
  edit: "edit",
  exec: "execute",
};

/** Output of these is text as it is, which clients would otherwise render as Markdown. */
const VERBATIM: ReadonlySet<ToolKind> = new Set(["read", "execute"]);

/** A call before it runs. Its paths are relative to `cwd`. */
export function callView(call: ShownCall, cwd: string): ToolCallUpdate & { title: string } {
  const { id: toolCallId, name, args } = call;
  const path = pathOf(call, cwd);
  const content = path === undefined ? [] : plannedDiffs(args, path);
  const line = isObject(args) && typeof args["offset"] === "number" ? { line: args["offset"] } : {};
  return {
    toolCallId,
    title: titleOf(call),
    name,
    kind: kindOf(name),
    ...(content.length > 0 ? { content } : {}),
    ...(path === undefined ? {} : { locations: [{ path, ...line }] }),
    rawInput: args,
  };
}

/** A call with its result; `isError` is a failed call. A change to a file is shown as a diff. */
export function resultView(
  call: ShownCall,
  { content, details, isError }: ShownResult,
  cwd: string,
): Pick<ToolCallUpdate, "toolCallId" | "content" | "rawOutput"> {
  const path = pathOf(call, cwd);
  const diffs = path === undefined || isError ? [] : madeDiffs(call.args, details, path);
  return {
    toolCallId: call.id,
    content: diffs.length > 0 ? diffs : contentView(call.name, content),
    ...(details === undefined ? {} : { rawOutput: details }),
  };
}

export function contentView(name: string, content: readonly UserContent[]): ToolCallContent[] {
  const isVerbatim = VERBATIM.has(kindOf(name));
  return content.flatMap((block) => {
    const shown = blockOf(block);
    if (shown === undefined) return [];
    const text = isVerbatim && shown.type === "text" ? { ...shown, text: fenced(shown.text) } : shown;
    return { type: "content" as const, content: text };
  });
}

function kindOf(name: string): ToolKind {
  return Object.hasOwn(kinds, name) ? (kinds[name] ?? "other") : "other";
}

function titleOf({ name, args }: ShownCall): string {
  const { command, file_path: path } = isObject(args) ? args : {};
  const all = [command, path, ...Object.values(isObject(args) ? args : {})];
  const subject = all.find((value) => typeof value === "string");
  if (typeof subject !== "string" || subject === "") return name;
  const title = `${name}: ${subject}`;
  const [line = ""] = title.split("\n", 1);
  return line === title && title.length <= TITLE_LENGTH ? title : `${line.slice(0, TITLE_LENGTH)}…`;
}

function pathOf({ name, args }: ShownCall, cwd: string): string | undefined {
  const path = isObject(args) && kindOf(name) !== "execute" ? args["file_path"] : undefined;
  return typeof path === "string" ? resolve(cwd, path) : undefined;
}

/** What a call of `edit` or `write` would change, as far as its arguments state it. */
function plannedDiffs(args: unknown, path: string): Diff[] {
  if (!isObject(args)) return [];
  const { edits, content } = args;
  if (typeof content === "string") return [{ type: "diff", path, oldText: null, newText: content }];
  if (!Array.isArray(edits)) return [];
  return edits.flatMap((edit: unknown) => {
    const { old_string: oldText, new_string: newText } = isObject(edit) ? edit : {};
    const isChange = typeof oldText === "string" && typeof newText === "string";
    return isChange ? { type: "diff" as const, path, oldText, newText } : [];
  });
}

/** What a call of `edit` or `write` has changed. */
function madeDiffs(args: unknown, details: unknown, path: string): Diff[] {
  if (!isObject(details)) return [];
  const { diff, created } = details;
  if (created === true) return plannedDiffs(args, path);
  return typeof diff === "string" ? hunkDiffs(path, diff) : [];
}

/** As code; the fence is longer than any in the text. */
function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
}
