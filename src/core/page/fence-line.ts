/** A line of Markdown that can open or close fenced code. */
interface FenceLine {
  indent: string;
  /** The backticks or tildes. */
  mark: string;
  /** The text after them. */
  info: string;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})(.*)$/s;

export function fenceLine(line: string): FenceLine | undefined {
  const [, indent = "", mark, info = ""] = FENCE.exec(line) ?? [];
  return mark === undefined ? undefined : { indent, mark, info };
}

export function opensFence({ mark, info }: FenceLine): boolean {
  return !(mark.startsWith("`") && info.includes("`"));
}

/** Whether it closes the fence that was opened with `opened`. */
export function closesFence({ mark, info }: FenceLine, opened: string): boolean {
  return mark.startsWith(opened) && /^[ \t]*$/.test(info);
}
