import { withoutTags } from "./html-tags.js";

/**
 * Text as a block quote. Everything that the text opens, such as a fence or an HTML comment, ends with the quote. HTML
 * tags are escaped, because `</blockquote>` would end it early.
 */
export function quote(text: string): string {
  return withoutTags(text)
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n");
}

/** A fence longer than every run of backticks in the text. */
export function fenced(text: string, language = ""): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A code span on one line; empty and blank texts are written as JSON, because a code span must not be blank. */
export function codeSpan(text: string): string {
  const content = text.trim() === "" ? JSON.stringify(text) : text;
  const runs = content.match(/`+/g) ?? [];
  const longest = runs.reduce((length, run) => Math.max(length, run.length), 0);
  const mark = "`".repeat(longest + 1);
  // Markdown removes one space on each side if both sides have one.
  const pad = /^[ `]|[ `]$/.test(content) ? " " : "";
  return `${mark}${pad}${content}${pad}${mark}`;
}

/** Text within a line that means only itself. */
export function escaped(line: string): string {
  return line.replaceAll(/[\\`*_{}[\]>#|~!&@]/g, "\\$&").replaceAll("<", "&lt;");
}

/** A link to an address, with the address as its label if it is not one of the web. */
export function linked(label: string, url: string): string {
  const isWeb = /^https?:\/\/[^\s<>]+$/.test(url);
  return isWeb
    ? `[${escaped(label)}](<${url.replaceAll(/[\\<>]/g, encodeURIComponent)}>)`
    : `${escaped(label)}: ${codeSpan(url)}`;
}
