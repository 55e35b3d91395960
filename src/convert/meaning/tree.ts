import type { SourceMessage } from "../decode.js";
import { type Report, type Spot, spotIn } from "../report.js";
import { finding } from "./catalogue.js";
import type { Rule } from "./rule.js";

interface Child {
  id: string | undefined;
  parentId: string;
  spot: Spot;
}

/**
 * Ids are distinct, and who follows whom makes a tree. A parent is looked for in the whole input, so what it remembers
 * grows with the number of ids.
 */
export class TreeRule implements Rule {
  readonly #report: Report;
  readonly #branches: boolean;
  /** The id of every message, and what it follows. */
  readonly #parents = new Map<string, string | null | undefined>();
  /** Messages whose parent had not been seen before them. */
  readonly #suspects: Child[] = [];
  #lastRecord: unknown;
  #messages = 0;

  constructor(report: Report, branches: boolean) {
    this.#report = report;
    this.#branches = branches;
  }

  check(source: SourceMessage): void {
    const { role, id, parentId } = source.message;
    this.#messages++;
    if (role === "session" && this.#messages > 1) {
      this.#report.add(spotIn(source), finding("session/misplaced", "a session begins in mid-file"));
    }
    if (id !== undefined) this.#recordId(id, source);
    if (!this.#branches || typeof parentId !== "string") return;
    // With its own id known already, a message that follows itself would go unnoticed.
    if (parentId === id || !this.#parents.has(parentId)) {
      const spot = this.#report.detach(spotIn(source, ["parentId"]));
      this.#suspects.push({ id, parentId, spot });
    }
  }

  finish(): void {
    const circles = this.#circles();
    for (const { id, parentId, spot } of this.#suspects) {
      if (!this.#parents.has(parentId)) {
        const message = `it follows the message "${parentId}", which is not there`;
        this.#report.add(spot, finding("tree/missing-parent", message));
      } else if (id !== undefined && circles.has(id)) {
        this.#report.add(spot, finding("tree/cycle", `the message "${id}" follows itself in a circle`));
      }
    }
  }

  #recordId(id: string, source: SourceMessage): void {
    // One record may stand for several messages, and a session is not a message of itself.
    const own = source.message.role === "session" || source.origin === this.#lastRecord;
    this.#lastRecord = source.origin;
    if (this.#parents.has(id)) {
      if (own) return;
      this.#report.add(spotIn(source, ["id"]), finding("tree/duplicate-id", `the id "${id}" is taken`));
      return;
    }
    this.#parents.set(id, source.message.parentId);
  }

  /** The ids in circles. A message whose parent comes later closes each, so only those are asked, and no id twice. */
  #circles(): Set<string> {
    const circles = new Set<string>();
    const done = new Set<string>();
    for (const { id } of this.#suspects) {
      const way: string[] = [];
      const onWay = new Set<string>();
      let next: string | null | undefined = id;
      while (typeof next === "string" && !done.has(next) && !onWay.has(next)) {
        way.push(next);
        onWay.add(next);
        next = this.#parents.get(next);
      }
      if (typeof next === "string" && onWay.has(next)) {
        for (const member of way.slice(way.indexOf(next))) circles.add(member);
      }
      for (const member of way) done.add(member);
    }
    return circles;
  }
}
