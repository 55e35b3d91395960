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

/** Line feeds in a text are breaks: people who chat mean them. `sign` is what marks a span in the source, as `**` does. */
export type Inline =
  | { type: "text"; text: string }
  | { type: "bold" | "italic" | "strike" | "spoiler"; sign: string; content: Inline[] }
  | { type: "code"; sign: string; text: string }
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

/** Texts that touch are one: a sign that was escaped is a part of its word. */
export function joinTexts(content: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const inline of content) {
    const last = result.at(-1);
    if (inline.type === "text" && last?.type === "text") last.text += inline.text;
    else result.push(inline);
  }
  return result;
}

/** Whether some of a document is hidden until the reader asks for it. */
export function holdsSpoiler(blocks: readonly Block[]): boolean {
  return blocks.some((block) => {
    switch (block.type) {
      case "paragraph":
      case "heading":
        return isHiding(block.content);
      case "list":
        return block.items.some((item) => holdsSpoiler(item.blocks));
      case "quote":
        return holdsSpoiler(block.blocks);
      case "table":
        return [block.header, ...block.rows].flat().some(({ content }) => isHiding(content));
      default:
        return false;
    }
  });
}

function isHiding(content: readonly Inline[]): boolean {
  return content.some((inline) => {
    if (inline.type === "text" || inline.type === "code") return false;
    return inline.type === "spoiler" || isHiding(inline.content);
  });
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
