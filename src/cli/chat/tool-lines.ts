import { isObject } from "../../core/json/value.js";
import type { UserContent } from "../../core/types.js";
import { is } from "../../core/validate.js";
import { cut, plain, plainLine } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { counted } from "../terminal/table.js";
import { duration } from "./duration.js";

export interface EndedCall {
  name: string;
  args: unknown;
  /** The result, as the model sees it. */
  content: readonly UserContent[];
  isError: boolean;
  /** Undefined for calls of earlier runs. */
  ms?: number;
}

export interface Style {
  paint: Paint;
  columns: number;
}

const SHOWN = 3;
const SHOWN_OF_ERRORS = 6;

/** The subject of a call: its command, its path, or its first text argument. */
export function subjectOf(args: unknown): string {
  if (!isObject(args)) return "";
  const { command, file_path: path } = args;
  const first = [command, path, ...Object.values(args)].find((value) => typeof value === "string");
  return typeof first === "string" ? first : "";
}

/**
 *     ● exec npm test · 1.2 s
 *       first line of the result
 *       … 11 more lines
 */
export function toolLines(call: EndedCall, { paint, columns }: Style): string[] {
  const { name, args, content, isError, ms } = call;
  const mark = isError ? paint("red", "✗") : paint("green", "●");
  const took = ms === undefined ? "" : ` · ${duration(ms)}`;
  const title = plainLine(name, columns - 3);
  const room = columns - 4 - title.length - took.length;
  const subject = room < 4 ? "" : ` ${plainLine(subjectOf(args), room)}`.trimEnd();
  const head = `${mark} ${paint("bold", title)}${subject}${paint("dim", took)}`;
  const lines = textOf(content)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const shown = lines.slice(0, isError ? SHOWN_OF_ERRORS : SHOWN);
  const more = lines.length - shown.length;
  return [
    head,
    ...shown.map(
      (line) =>
        `  ${paint(isError ? "red" : "dim", cut(line.trimEnd().replaceAll("\t", "  "), columns - 3))}`,
    ),
    ...(more > 0 ? [paint("dim", `  … ${counted(more, "more line")}`)] : []),
  ];
}

function textOf(content: readonly UserContent[]): string {
  return content.map((block) => (block.type === "text" ? plain(block.text) : `[${block.type}]`)).join("\n");
}

/** The content of a `tool_execution_end` result. */
export function contentOf(result: unknown): UserContent[] {
  const content: unknown = isObject(result) ? result["content"] : undefined;
  return Array.isArray(content) ? content.filter((block) => is("UserContent", block)) : [];
}
