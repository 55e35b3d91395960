import type { Dialect, LeafRole } from "../../core/dialect.js";
import type { Half } from "../../core/message/pairing.js";
import type { AssistantMessage } from "../../core/types.js";
import { offPath } from "../branches.js";
import type { SourceMessage } from "../decode.js";
import { leafRoleOf } from "../leaf.js";
import { pointerOf, type Report, type Spot, spotIn } from "../report.js";
import type { Rule } from "./rule.js";

/** What is needed to check the order of messages. */
export interface Turn {
  role: "user" | "assistant" | "toolResult" | "system";
  spot: Spot;
  calls: Half<Spot>[];
  result?: Half<Spot>;
}

export interface TurnRule {
  check(turn: Turn): void;
  finish?(): void;
}

interface StoredTurn {
  turn: Turn | undefined;
  at: string;
  id: string | undefined;
  parentId: string | null | undefined;
  leafRole: LeafRole | undefined;
}

/**
 * Passes messages in order to the rules that check it. From the first message with a parent on, the rules see only the
 * active branch. That branch is known at the end, so until then roles, ids and places are
 * stored, but no text.
 */
export class Turns implements Rule {
  readonly #report: Report;
  readonly #dialect: Dialect;
  readonly #rules: readonly TurnRule[];
  /** The tree so far. Of a message before the first one with a parent, only the id: it can be a parent, too. */
  readonly #stored: StoredTurn[] = [];
  #isTree = false;

  /** In a dialect without branches, parents are ignored. */
  constructor(report: Report, dialect: Dialect, rules: readonly TurnRule[]) {
    this.#report = report;
    this.#dialect = dialect;
    this.#rules = rules;
  }

  check(source: SourceMessage): void {
    const turn = turnOf(source);
    const { id, parentId } = source.message;
    this.#isTree ||= this.#dialect.branches && parentId !== undefined;
    if (this.#isTree || (this.#dialect.branches && id !== undefined)) this.#store(turn, source);
    if (!this.#isTree && turn !== undefined) for (const rule of this.#rules) rule.check(turn);
  }

  finish(): void {
    const others = offPath(this.#isTree ? this.#stored : []);
    for (const { at, turn } of this.#stored) {
      if (turn !== undefined && !others.has(at)) for (const rule of this.#rules) rule.check(turn);
    }
    for (const rule of this.#rules) rule.finish?.();
  }

  #store(turn: Turn | undefined, source: SourceMessage): void {
    const { id, parentId } = source.message;
    const at = this.#isTree ? pointerOf(spotIn(source)) : "";
    const leafRole = leafRoleOf(source.message, this.#dialect);
    const detached = this.#isTree && turn !== undefined ? this.#detach(turn) : undefined;
    this.#stored.push({ at, id, parentId, leafRole, turn: detached });
  }

  #detach(turn: Turn): Turn {
    const detach = (half: Half<Spot>) => ({ ...half, spot: this.#report.detach(half.spot) });
    return {
      role: turn.role,
      spot: this.#report.detach(turn.spot),
      calls: turn.calls.map(detach),
      ...(turn.result === undefined ? {} : { result: detach(turn.result) }),
    };
  }
}

function turnOf(source: SourceMessage): Turn | undefined {
  const { message } = source;
  switch (message.role) {
    case "user":
    case "system":
      return { role: message.role, spot: spotIn(source), calls: [] };
    case "assistant":
      return { role: "assistant", spot: spotIn(source), calls: callsIn(source, message) };
    case "toolResult": {
      const { toolCallId: id, toolName: name, isPending = false } = message;
      const spot = spotIn(source);
      return { role: "toolResult", spot, calls: [], result: { id, name, spot, isPending } };
    }
    default:
      return undefined;
  }
}

function callsIn(source: SourceMessage, { content }: AssistantMessage): Half<Spot>[] {
  return content.flatMap((block, index) =>
    block.type === "toolCall"
      ? [{ id: block.id, name: block.name, spot: spotIn(source, ["content", index]) }]
      : [],
  );
}
