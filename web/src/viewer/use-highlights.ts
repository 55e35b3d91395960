import { useEffect } from "react";

const NAME = "dragoman-search";
/** More are not marked; only a page full of one letter has them. */
const MOST = 2_000;

/** Marks a text wherever it is rendered, also across elements. Does nothing in browsers without the Highlight API. */
export function useHighlights(root: () => HTMLElement | null, text: string): void {
  useEffect(() => {
    const element = root();
    if (text === "" || element === null || !("highlights" in CSS)) return;
    let frame = 0;
    const mark = () => {
      CSS.highlights.set(NAME, new Highlight(...rangesOf(element, text)));
    };
    // Rows appear and disappear while the reader scrolls.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(mark);
    });
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [root, text]);
}

function rangesOf(root: HTMLElement, text: string): Range[] {
  const sought = text.toLowerCase();
  const ranges: Range[] = [];
  for (const row of root.querySelectorAll(".row-content")) {
    const { nodes, whole } = textIn(row);
    for (let at = whole.indexOf(sought); at >= 0 && ranges.length < MOST; ) {
      const range = document.createRange();
      range.setStart(...placeAt(nodes, at, false));
      range.setEnd(...placeAt(nodes, at + sought.length, true));
      ranges.push(range);
      at = whole.indexOf(sought, at + sought.length);
    }
  }
  return ranges;
}

interface Piece {
  node: Text;
  /** Where it begins in the whole text. */
  start: number;
}

function textIn(row: Element): { nodes: Piece[]; whole: string } {
  const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const nodes: Piece[] = [];
  let whole = "";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: whole.length });
    // One letter may become two in lower case, which would shift all places after it.
    const lower = node.data.toLowerCase();
    whole += lower.length === node.data.length ? lower : node.data;
  }
  return { nodes, whole };
}

/** The node and the place in it; an end belongs to the node before it. */
function placeAt(nodes: readonly Piece[], at: number, isEnd: boolean): [Text, number] {
  const found = nodes.findLast(({ start }) => (isEnd ? start < at : start <= at));
  if (found === undefined) throw new RangeError(`no text at ${at}`);
  return [found.node, at - found.start];
}
