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
 * Ids are unique, and the parents form a tree. A parent is looked up in the whole input, so memory grows with the
 * number of ids.
 */
export class TreeRule implements Rule {
  readonly #report: Report;
  readonly #branches: boolean;
  /** Every message's parent, by id. */
  readonly #parents = new Map<string, string | null | undefined>();
  /** Messages that come before their parent. */
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
      this.#report.add(spotIn(source), finding("session/misplaced", "a session starts mid-file"));
    }
    if (id !== undefined) this.#recordId(id, source);
    if (!this.#branches || typeof parentId !== "string") return;
    // Its own id is already recorded, so a message that is its own parent needs the first condition.
    if (parentId === id || !this.#parents.has(parentId)) {
      const spot = this.#report.detach(spotIn(source, ["parentId"]));
      this.#suspects.push({ id, parentId, spot });
    }
  }

  finish(): void {
    const circles = this.#circles();
    for (const { id, parentId, spot } of this.#suspects) {
      if (!this.#parents.has(parentId)) {
        const message = `its parent, the message "${parentId}", does not exist`;
        this.#report.add(spot, finding("tree/missing-parent", message));
      } else if (id !== undefined && circles.has(id)) {
        this.#report.add(spot, finding("tree/cycle", `the message "${id}" is its own ancestor`));
      }
    }
  }

  #recordId(id: string, source: SourceMessage): void {
    // One record may contain several messages, and a session's id is not a message id.
    const own = source.message.role === "session" || source.origin === this.#lastRecord;
    this.#lastRecord = source.origin;
    if (!this.#parents.has(id)) this.#parents.set(id, source.message.parentId);
    else if (!own) {
      const duplicate = finding("tree/duplicate-id", `the id "${id}" is already used`);
      this.#report.add(spotIn(source, ["id"]), duplicate);
    }
  }

  /** The ids in circles. Each circle contains a message that comes before its parent, so the search starts at those. */
  #circles(): Set<string> {
    const circles = new Set<string>();
    const done = new Set<string>();
    for (const { id } of this.#suspects) {
      const path: string[] = [];
      const onPath = new Set<string>();
      let next: string | null | undefined = id;
      while (typeof next === "string" && !done.has(next) && !onPath.has(next)) {
        path.push(next);
        onPath.add(next);
        next = this.#parents.get(next);
      }
      if (typeof next === "string" && onPath.has(next)) {
        for (const member of path.slice(path.indexOf(next))) circles.add(member);
      }
      for (const member of path) done.add(member);
    }
    return circles;
  }
}
