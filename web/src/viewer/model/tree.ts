/** A message's links in the tree. */
export interface Linked {
  id?: string | undefined;
  /** Null for a root; undefined for a message that is on every branch. */
  parentId?: string | null | undefined;
}

/** A run of messages without a fork. */
export interface Segment {
  /** Its index among the segments. */
  index: number;
  /** The indices of its messages; never empty. */
  messages: number[];
  parent: number | undefined;
  children: number[];
  /** How many forks lie before it. */
  depth: number;
}

export interface Tree {
  /** Depth first: parents before children, siblings in file order. */
  segments: Segment[];
  /** The segment of each message; undefined for one that is on every branch. */
  segmentOf: (number | undefined)[];
}

/** `-1` means none: a root, or a message outside the tree. */
type Parents = Int32Array;

/**
 * The tree of a transcript's messages. As in conversion, a duplicate id refers to the latest message before the one that names
 * it, and a message whose parent is missing follows the previous one.
 */
export function buildTree(messages: readonly Linked[]): Tree {
  const parents = findParents(messages);
  const children: number[][] = messages.map(() => []);
  const roots: number[] = [];
  for (const [index, { parentId }] of messages.entries()) {
    if (parentId === undefined) continue;
    const parent = parents[index] ?? -1;
    (children[parent] ?? roots).push(index);
  }
  return segmentsOf(messages.length, roots, children);
}

function findParents(messages: readonly Linked[]): Parents {
  const parents: Parents = new Int32Array(messages.length).fill(-1);
  const places = new Map<string, number>();
  const unknown: { index: number; parentId: string }[] = [];
  let before = -1;
  for (const [index, { id, parentId }] of messages.entries()) {
    if (parentId === undefined) continue;
    if (parentId !== null) {
      const parent = places.get(parentId);
      if (parent === undefined) unknown.push({ index, parentId });
      parents[index] = parent ?? before;
    }
    if (id !== undefined) places.set(id, index);
    before = index;
  }
  // A parent may come later in the file, unless it descends from its own child.
  for (const { index, parentId } of unknown) {
    const parent = places.get(parentId);
    if (parent === undefined) continue;
    parents[index] = -1;
    if (!leadsTo(parents, parent, index)) parents[index] = parent;
  }
  return parents;
}

function leadsTo(parents: Parents, from: number, to: number): boolean {
  for (let at = from; at >= 0; at = parents[at] ?? -1) if (at === to) return true;
  return false;
}

function segmentsOf(length: number, roots: readonly number[], children: readonly number[][]): Tree {
  const segments: Segment[] = [];
  const segmentOf: (number | undefined)[] = new Array<undefined>(length).fill(undefined);
  const waiting: { start: number; parent: number | undefined }[] = [];
  for (const start of roots.toReversed()) waiting.push({ start, parent: undefined });
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const index = segments.length;
    const above = next.parent === undefined ? undefined : segments[next.parent];
    const depth = above === undefined ? 0 : above.depth + 1;
    const segment: Segment = { index, messages: [], parent: next.parent, children: [], depth };
    let follow: readonly number[] = [next.start];
    for (let only = follow[0]; follow.length === 1 && only !== undefined; only = follow[0]) {
      segment.messages.push(only);
      segmentOf[only] = index;
      follow = children[only] ?? [];
    }
    above?.children.push(index);
    segments.push(segment);
    for (const start of follow.toReversed()) waiting.push({ start, parent: index });
  }
  return { segments, segmentOf };
}

/** The segment with the last message, which is shown first. */
export function lastSegment({ segments, segmentOf }: Tree): Segment | undefined {
  const last = segmentOf.findLast((segment) => segment !== undefined);
  return last === undefined ? undefined : segments[last];
}

/** The leaf below a segment that was written to last. */
export function newestEnd({ segments }: Tree, from: Segment): Segment {
  let end = from;
  let latest = -1;
  const waiting = [from];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const last = next.messages.at(-1) ?? -1;
    if (next.children.length === 0 && last > latest) {
      end = next;
      latest = last;
    }
    for (const child of next.children) {
      const segment = segments[child];
      if (segment !== undefined) waiting.push(segment);
    }
  }
  return end;
}

/** The messages from the root to the end of a segment, in file order, with those on every branch. */
export function pathTo({ segments, segmentOf }: Tree, end: Segment | undefined): number[] {
  const onPath = segmentsTo(segments, end);
  return segmentOf.flatMap((segment, index) => (segment === undefined || onPath.has(segment) ? [index] : []));
}

/** The indices of the segments from the root to this one. */
export function segmentsTo(segments: readonly Segment[], end: Segment | undefined): Set<number> {
  const indices = new Set<number>();
  for (let at = end; at !== undefined; at = at.parent === undefined ? undefined : segments[at.parent]) {
    indices.add(at.index);
  }
  return indices;
}

/** The branches that begin at this message's fork, including its own; undefined if there is no fork before it. */
export function alternativesOf({ segments, segmentOf }: Tree, message: number): Segment[] | undefined {
  const segment = segments[segmentOf[message] ?? -1];
  if (segment === undefined || segment.messages[0] !== message) return undefined;
  const { parent } = segment;
  const all =
    parent === undefined
      ? segments.filter((other) => other.parent === undefined)
      : (segments[parent]?.children ?? []).flatMap((child) => segments[child] ?? []);
  return all.length > 1 ? all : undefined;
}
