/**
 * The keys of a tree's nodes, parents before children, with the path to the active leaf last among its siblings, so that
 * the last key is the leaf. A node whose parent is unknown is a root; nodes in a circle come first.
 */
export function activeLast(parents: ReadonlyMap<string, string | null>, leaf: string | undefined): string[] {
  const children = new Map<string | null, string[]>();
  for (const [key, named] of parents) {
    const parent = named !== null && parents.has(named) ? named : null;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [key]);
    else siblings.push(key);
  }
  const active = pathTo(parents, leaf);
  const ordered = new Set<string>();
  const waiting = reversed(children.get(null) ?? [], active);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    ordered.add(next);
    for (const child of reversed(children.get(next) ?? [], active)) waiting.push(child);
  }
  const circles = [...parents.keys()].filter((key) => !ordered.has(key));
  const all = [...circles, ...ordered];
  if (leaf === undefined || all.at(-1) === leaf || !parents.has(leaf)) return all;
  // An active node that has children.
  return [...all.filter((key) => key !== leaf), leaf];
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
