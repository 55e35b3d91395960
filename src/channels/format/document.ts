/** The one form between Markdown and what a platform writes. */
export type Block =
  | { type: "paragraph"; content: Inline[] }
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "list"; items: Item[]; loose: boolean }
  | { type: "quote"; blocks: Block[] }
  | { type: "code"; text: string; language?: string }
  | { type: "table"; header: Cell[]; rows: Cell[][] }
  | { type: "rule" };

export interface Item {
  /** Only in ordered lists. */
  number?: number;
  /** Only of tasks: done or not. */
  done?: boolean;
  blocks: Block[];
}

export interface Cell {
  content: Inline[];
  align: "left" | "right" | "centre";
}

/** Line feeds in a text are breaks: people who chat mean them. */
export type Inline =
  | { type: "text"; text: string }
  | { type: "bold" | "italic" | "strike"; content: Inline[] }
  | { type: "code"; text: string }
  | { type: "link"; url: string; content: Inline[] };

/** What is read when nothing is marked. */
export function plainText(content: readonly Inline[]): string {
  return content
    .map((inline) => {
      if (inline.type === "text" || inline.type === "code") return inline.text;
      const text = plainText(inline.content);
      return inline.type === "link" ? linkText(text, inline.url) : text;
    })
    .join("");
}

/** A link where none can be pressed: `text (address)`, or the address alone where the text says no more. */
function linkText(label: string, url: string): string {
  const address = readableAddress(url);
  return label === address ? label : `${label} (${address})`;
}

/** `mailto:a@b.c` → `a@b.c` */
export function readableAddress(url: string): string {
  return url.replace(/^mailto:(?=[^?]+$)/i, "");
}
