interface Node<T> {
  item: T;
  size: number;
  left: Node<T> | undefined;
  right: Node<T> | undefined;
}

type Side = "left" | "right";

/** How much heavier one side may be, and from which ratio on its child is rotated first. They must fit together. */
const HEAVIER = 3;
const ROTATE_CHILD = 2;

/**
 * Items in the order of their keys, in a weight-balanced tree: adding, removing and finding an index take O(log n),
 * whatever the order of arrival.
 */
export class OrderedTree<T> {
  readonly #keyOf: (item: T) => string;
  #root: Node<T> | undefined;
  /** Compared first, because items usually arrive in order. */
  #last: string | undefined;

  constructor(keyOf: (item: T) => string) {
    this.#keyOf = keyOf;
  }

  get size(): number {
    return sizeOf(this.#root);
  }

  /** How many items have a smaller key. */
  indexOf(key: string): number {
    if (this.#last === undefined || this.#last < key) return this.size;
    if (this.#last === key) return this.size - 1;
    let index = 0;
    let node = this.#root;
    while (node !== undefined) {
      if (this.#keyOf(node.item) < key) {
        index += sizeOf(node.left) + 1;
        node = node.right;
      } else node = node.left;
    }
    return index;
  }

  /** The key must be new. */
  add(item: T): void {
    const key = this.#keyOf(item);
    this.#root = this.#added(this.#root, item, key);
    if (this.#last === undefined || this.#last < key) this.#last = key;
  }

  /** The key must exist. */
  remove(key: string): void {
    this.#root = this.#removed(this.#root, key);
    if (key === this.#last) this.#last = this.#largest();
  }

  *[Symbol.iterator](): Generator<T> {
    const open: Node<T>[] = [];
    let node = this.#root;
    while (node !== undefined || open.length > 0) {
      for (; node !== undefined; node = node.left) open.push(node);
      const next = open.pop();
      if (next === undefined) return;
      yield next.item;
      node = next.right;
    }
  }

  #largest(): string | undefined {
    let node = this.#root;
    while (node?.right !== undefined) node = node.right;
    return node === undefined ? undefined : this.#keyOf(node.item);
  }

  #added(node: Node<T> | undefined, item: T, key: string): Node<T> {
    if (node === undefined) return { item, size: 1, left: undefined, right: undefined };
    const side = key < this.#keyOf(node.item) ? "left" : "right";
    node[side] = this.#added(node[side], item, key);
    return balanced(node);
  }

  #removed(node: Node<T> | undefined, key: string): Node<T> | undefined {
    if (node === undefined) return undefined;
    const own = this.#keyOf(node.item);
    if (key === own) return joined(node.left, node.right);
    const side = key < own ? "left" : "right";
    node[side] = this.#removed(node[side], key);
    return balanced(node);
  }
}

function sizeOf(node: Node<unknown> | undefined): number {
  return node?.size ?? 0;
}

function weightOf(node: Node<unknown> | undefined): number {
  return sizeOf(node) + 1;
}

/** All items in `left` come before those in `right`. */
function joined<T>(left: Node<T> | undefined, right: Node<T> | undefined): Node<T> | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const { first, rest } = withoutFirst(right);
  first.left = left;
  first.right = rest;
  return balanced(first);
}

function withoutFirst<T>(node: Node<T>): { first: Node<T>; rest: Node<T> | undefined } {
  if (node.left === undefined) return { first: node, rest: node.right };
  const { first, rest } = withoutFirst(node.left);
  node.left = rest;
  return { first, rest: balanced(node) };
}

/** Restores the balance after an item was added or removed below `node`. */
function balanced<T>(node: Node<T>): Node<T> {
  node.size = sizeOf(node.left) + sizeOf(node.right) + 1;
  if (weightOf(node.right) > HEAVIER * weightOf(node.left)) return rotatedTwice(node, "right", "left");
  if (weightOf(node.left) > HEAVIER * weightOf(node.right)) return rotatedTwice(node, "left", "right");
  return node;
}

function rotatedTwice<T>(node: Node<T>, heavy: Side, light: Side): Node<T> {
  const child = node[heavy];
  if (child !== undefined && weightOf(child[light]) >= ROTATE_CHILD * weightOf(child[heavy])) {
    node[heavy] = rotated(child, light, heavy);
  }
  return rotated(node, heavy, light);
}

/** The child replaces the node, which becomes its child on the other side. */
function rotated<T>(node: Node<T>, side: Side, other: Side): Node<T> {
  const child = node[side];
  if (child === undefined) return node;
  node[side] = child[other];
  node.size = sizeOf(node.left) + sizeOf(node.right) + 1;
  child[other] = node;
  child.size = sizeOf(child.left) + sizeOf(child.right) + 1;
  return child;
}
