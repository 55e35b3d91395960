import { displayWidth } from "../../core/display-width.js";
import { cut, plainLine } from "../sessions/plain.js";
import type { Paint } from "../terminal/colour.js";
import { KEY } from "./keys.js";

export interface MenuItem {
  value: string;
  /** Shown in place of the value. */
  label?: string;
  /** What it means. */
  text?: string;
}

/** Choices above the input line, one of which can be marked. */
export class InputMenu {
  readonly items: readonly MenuItem[];
  readonly #title: string | undefined;
  /** -1 while none is marked. */
  index: number;

  constructor(items: readonly MenuItem[], { title, index = -1 }: { title?: string; index?: number } = {}) {
    this.items = items;
    this.index = index;
    this.#title = title;
  }

  get marked(): MenuItem | undefined {
    return this.items[this.index];
  }

  /** Moves the mark; false for keys that do not. */
  move(key: string): boolean {
    const { length } = this.items;
    if (key === KEY.tab || key === KEY.down) this.index = (this.index + 1) % length;
    else if (key === KEY.backTab || key === KEY.up)
      this.index = (Math.max(this.index, 0) - 1 + length) % length;
    else return false;
    return true;
  }

  /** At most `rows` lines, around the mark. */
  lines({ columns, rows }: { columns: number; rows: number }, paint: Paint): string[] {
    const room = Math.max(rows - (this.#title === undefined ? 0 : 1), 1);
    const first = Math.max(0, Math.min(this.index - room + 1, this.items.length - room));
    const shown = this.items.slice(first, first + room);
    const width = Math.min(
      Math.max(...shown.map((item) => displayWidth(labelOf(item)))),
      Math.floor(columns * 0.6),
    );
    const more = this.items.length - first - shown.length;
    const lines = shown.map((item, at) => {
      const isLast = at === shown.length - 1 && more > 0;
      const label = plainLine(labelOf(item), width);
      const gap = " ".repeat(width - displayWidth(label) + 2);
      const line = cut(`${label}${gap}${plainLine(item.text ?? "")}`.trimEnd(), columns - 8);
      const mark = first + at === this.index;
      return `${mark ? paint("cyan", `❯ ${line}`) : `  ${line}`}${isLast ? paint("dim", `  +${more}`) : ""}`;
    });
    return [...(this.#title === undefined ? [] : [paint("dim", cut(this.#title, columns - 1))]), ...lines];
  }
}

function labelOf({ value, label }: MenuItem): string {
  return label ?? value;
}

/** The longest beginning that all have. */
export function commonStart(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  let length = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}
