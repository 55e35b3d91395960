/*
 * Trees that a document stores as an object: each key is a node, and each node names its parent.
 */

/**
 * The keys of a tree's nodes, parents before children. The path to the active leaf comes last among its siblings, so that
 * the last key is the leaf if it has no children. A node whose parent is unknown is a root; nodes in a circle come first.
 */
export function activeLast(parents: ReadonlyMap<string, string | null>, leaf: string | undefined): string[] {
  const children = childrenOf(
    Array.from(parents, ([key, named]) => [key, named !== null && parents.has(named) ? named : null]),
  );
  const active = pathTo(parents, leaf);
  const ordered = new Set<string>();
  const waiting = reversed(children.get(null) ?? [], active);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.add(next);
    for (const child of reversed(children.get(next) ?? [], active)) waiting.push(child);
  }
  const circles = [...parents.keys()].filter((key) => !ordered.has(key));
  return [...circles, ...ordered];
}

/** In reverse for a stack, from which the active one comes last. */
function reversed(siblings: readonly string[], active: ReadonlySet<string>): string[] {
  return [
    ...siblings.filter((key) => active.has(key)),
    ...siblings.filter((key) => !active.has(key)).reverse(),
  ];
}

function pathTo(parents: ReadonlyMap<string, string | null>, leaf: string | undefined): Set<string> {
  const path = new Set<string>();
  let next: string | null | undefined = leaf;
  while (typeof next === "string" && parents.has(next) && !path.has(next)) {
    path.add(next);
    next = parents.get(next);
  }
  return path;
}

/** Whether each node comes after its parent. */
export function isParentsFirst(parents: ReadonlyMap<string, string | null>): boolean {
  const passed = new Set<string>();
  for (const [key, parent] of parents) {
    if (parent !== null && parents.has(parent) && !passed.has(parent)) return false;
    passed.add(key);
  }
  return true;
}

/** The keys of each node's children, in order; the roots are the children of null. */
export function childrenOf(
  nodes: Iterable<readonly [key: string, parent: string | null]>,
): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const [key, parent] of nodes) {
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [key]);
    else siblings.push(key);
  }
  return children;
}

/** The same keys, each only once: an object cannot hold two nodes with the same key. */
export function distinctKeys(wanted: readonly string[]): string[] {
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  return wanted.map((first) => {
    let key = first;
    let copy = copies.get(first) ?? 1;
    while (taken.has(key)) key = `${first}-${++copy}`;
    copies.set(first, copy);
    taken.add(key);
    return key;
  });
}
