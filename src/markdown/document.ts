/** A parsed document: the form between Markdown and a platform's markup. */
export type Block =
  | { type: "paragraph"; content: Inline[] }
  | { type: "heading"; level: number; content: Inline[] }
  | { type: "list"; items: Item[]; loose: boolean }
  | { type: "quote"; blocks: Block[] }
  | { type: "code"; text: string; language?: string }
  | { type: "math"; source: string; text: string }
  | { type: "table"; header: Cell[]; rows: Cell[][] }
  | { type: "rule" };

export interface Item {
  /** Only in ordered lists. */
  number?: number;
  /** Only for tasks. */
  done?: boolean;
  blocks: Block[];
}

export interface Cell {
  content: Inline[];
  align: "left" | "right" | "centre";
}

/** Line feeds in text are line breaks, as chat users expect. `sign` is a span's delimiter in the source, such as `**`. */
export type Inline =
  | { type: "text"; text: string }
  | { type: "bold" | "italic" | "strike" | "spoiler"; sign: string; content: Inline[] }
  | { type: "code"; sign: string; text: string }
  /** A formula: `source` with its delimiters, `text` without them. */
  | { type: "math"; source: string; text: string; display: boolean }
  | { type: "link"; url: string; content: Inline[] };

/** The text without marks. A link is `label (address)`, or only the address if the label is the same. */
export function plainText(content: readonly Inline[]): string {
  return content
    .map((inline) => {
      if (inline.type === "text" || inline.type === "code") return inline.text;
      if (inline.type === "math") return inline.source;
      const text = plainText(inline.content);
      if (inline.type !== "link") return text;
      const address = readableAddress(inline.url);
      return text === address ? text : `${text} (${address})`;
    })
    .join("");
}

/** Joins adjacent texts: an escaped character is part of its word. */
export function joinTexts(content: readonly Inline[]): Inline[] {
  const result: Inline[] = [];
  for (const inline of content) {
    const last = result.at(-1);
    if (inline.type === "text" && last?.type === "text") last.text += inline.text;
    else result.push(inline);
  }
  return result;
}

/** Whether a block passes the test, at any depth of lists and quotations. */
export function someBlock(blocks: readonly Block[], test: (block: Block) => boolean): boolean {
  return blocks.some((block) => {
    if (block.type === "list") return block.items.some((item) => someBlock(item.blocks, test));
    return block.type === "quote" ? someBlock(block.blocks, test) : test(block);
  });
}

/** Whether part of a document is hidden until the reader reveals it. */
export function hasSpoiler(blocks: readonly Block[]): boolean {
  return someBlock(blocks, (block) => {
    if (block.type !== "table") return "content" in block && isHiding(block.content);
    return [block.header, ...block.rows].flat().some(({ content }) => isHiding(content));
  });
}

function isHiding(content: readonly Inline[]): boolean {
  return content.some(
    (inline) => inline.type === "spoiler" || ("content" in inline && isHiding(inline.content)),
  );
}

/** `mailto:a@b.c` → `a@b.c` */
export function readableAddress(url: string): string {
  return url.replace(/^mailto:(?=[^?]+$)/i, "");
}
