import { useEffect, useRef } from "react";

const NAME = "dragoman-search";
/** More are not marked; only a page full of one letter has them. */
const MOST = 2_000;

/** A row to scroll to; a new object for each request. */
export interface SoughtRow {
  key: string;
}

/**
 * Marks a text wherever it is rendered, also across elements, and scrolls to its first place in the row that is wanted. Does
 * nothing in browsers without the Highlight API.
 */
export function useHighlights(
  root: () => HTMLElement | null,
  text: string,
  wanted: SoughtRow | undefined,
): void {
  const scrolled = useRef<SoughtRow>(undefined);
  useEffect(() => {
    const element = root();
    if (text === "" || element === null || !("highlights" in CSS)) return;
    let frame = 0;
    let stop: () => void = () => undefined;
    const mark = () => {
      const ranges = rangesOf(element, text);
      CSS.highlights.set(NAME, new Highlight(...ranges));
      if (wanted === undefined || wanted === scrolled.current) return;
      const there = ranges.find(({ startContainer: { parentElement } }) => {
        return parentElement?.closest<HTMLElement>(".row")?.dataset["row"] === wanted.key;
      });
      if (there === undefined) return;
      scrolled.current = wanted;
      stop();
      stop = bringIntoSight(there, element);
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
      stop();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(NAME);
    };
  }, [root, text, wanted]);
}

/** For how many frames a place has to stay in sight, and after how many to give up. */
const CALM_FRAMES = 8;
const MOST_FRAMES = 90;

/** Scrolls to a place until it stays in sight: the list scrolls, too, while it measures its rows. Returns a function that stops it. */
function bringIntoSight(place: Range, root: HTMLElement): () => void {
  let frame = 0;
  let frames = 0;
  let calm = 0;
  const step = () => {
    calm = scrollTo(place, root) ? 0 : calm + 1;
    if (calm < CALM_FRAMES && ++frames < MOST_FRAMES) frame = requestAnimationFrame(step);
  };
  step();
  return () => cancelAnimationFrame(frame);
}

/** Scrolls whatever hides a place, from the inside out; false if nothing does. */
function scrollTo(place: Range, root: HTMLElement): boolean {
  let hasScrolled = false;
  let box = place.startContainer.parentElement;
  for (; box !== null && box !== root; box = box.parentElement) {
    if (box.scrollHeight <= box.clientHeight + 1 || getComputedStyle(box).overflowY === "visible") continue;
    const { top, bottom } = place.getBoundingClientRect();
    const frame = box.getBoundingClientRect();
    if (top >= frame.top && bottom <= frame.bottom) continue;
    box.scrollTop += top - frame.top - frame.height / 3;
    hasScrolled = true;
  }
  return hasScrolled;
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
