import { includesScope } from "../auth/scope.js";
import type { Scope } from "../types.js";

/** The rights that the protocol knows and this gateway grants. */
export type OperatorScope = "operator.read" | "operator.write" | "operator.admin" | "operator.approvals";

/** The scope of a token that grants each right. Answering permission requests needs the scope that it needs everywhere. */
const grantedBy: Readonly<Record<OperatorScope, Scope>> = {
  "operator.read": "read",
  "operator.write": "chat",
  "operator.approvals": "admin",
  "operator.admin": "admin",
};

const all: readonly OperatorScope[] = [
  "operator.read",
  "operator.write",
  "operator.approvals",
  "operator.admin",
];

/** The rights that a client gets: those of its token, and no more than it asks for (default: all of them). */
export function grantedScopes(token: Scope, asked: readonly string[] | undefined): OperatorScope[] {
  const wanted = (scope: OperatorScope) => {
    if (asked === undefined || asked.includes("operator.admin") || asked.includes(scope)) return true;
    return scope === "operator.read" && asked.includes("operator.write");
  };
  return all.filter((scope) => includesScope(token, grantedBy[scope]) && wanted(scope));
}

/** The scope of a token with these rights. */
export function scopeOf(granted: readonly OperatorScope[]): Scope {
  if (granted.includes("operator.admin")) return "admin";
  return granted.includes("operator.write") ? "chat" : "read";
}

export function allows(granted: readonly OperatorScope[], needed: OperatorScope): boolean {
  return granted.includes("operator.admin") || granted.includes(needed);
}
