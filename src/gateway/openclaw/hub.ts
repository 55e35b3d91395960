import type { PermissionRequest } from "../../core/message/question-notes.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import type { Conversation } from "../../runtime/conversation.js";
import { Feeds } from "../../runtime/feeds.js";
import { mayUse } from "../auth/permit.js";
import { isApprovable } from "../front-ends/approvable.js";
import { SessionChanges } from "../session-changes.js";
import { nameOf } from "../session-name.js";
import type { Gateway } from "../types.js";
import { type Approval, approvalOf } from "./approvals.js";
import type { Connection } from "./connection.js";
import { SessionRendering } from "./rendering.js";
import type { RunPlace } from "./run-events.js";
import { type Activity, sessionRow } from "./session-row.js";
import { eventFrames, type WireEvent } from "./wire.js";

/** Clients disconnect after two intervals of silence. */
export const TICK_MS = 15_000;

/** What all connections share: the sessions that are followed, open permission requests, and ticks. */
export class Hub {
  readonly gateway: Gateway;
  readonly feeds: Feeds<{ conversation: Conversation }, SessionRendering>;
  readonly changes: SessionChanges<(seq: number) => string>;
  readonly #connections = new Set<Connection>();
  /** The permission requests that were reported. */
  readonly #approvals = new Map<string, { approval: Approval; agent: string }>();
  #ticks: NodeJS.Timeout | undefined;

  constructor(gateway: Gateway) {
    this.gateway = gateway;
    const hooks = {
      onRequest: (...[request, place, runId]: Parameters<Hub["reportRequest"]>) =>
        this.reportRequest(request, place, runId),
      onRequestEnd: (id: string, end: string) => this.reportRequestEnd(id, end),
    };
    this.feeds = new Feeds(({ conversation }) => new SessionRendering(conversation, gateway, hooks));
    this.changes = new SessionChanges(gateway, (found, running) => this.#changeFrame(found, running));
    gateway.runtime.watch((conversation) => this.#observe(conversation));
    gateway.closing.addEventListener("abort", () => this.#shutDown());
  }

  add(connection: Connection): void {
    this.#connections.add(connection);
    this.#ticks ??= setInterval(() => {
      this.#broadcast({ event: "tick", payload: { ts: this.gateway.now() } });
    }, TICK_MS).unref();
  }

  remove(connection: Connection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#ticks);
    this.#ticks = undefined;
  }

  /** What is known about the runs of a session. */
  activityOf(id: string): Activity {
    const running = this.gateway.runtime.running().find(({ session }) => session.id === id);
    const runId = running === undefined ? undefined : this.feeds.of(running)?.runId;
    return { isRunning: running !== undefined, runId };
  }

  reportRequest(request: PermissionRequest, place: RunPlace, runId: string | undefined): void {
    if (!isApprovable(request) || this.#approvals.has(request.id)) return;
    const approval = approvalOf(request, place, runId);
    this.#approvals.set(request.id, { approval, agent: place.agentId });
    const payload = { approvalKind: "exec", ...approval };
    this.#toApprovers(place.agentId, { event: "exec.approval.requested", payload });
  }

  /** A request that this gateway did not see asked, such as one from before a restart. */
  remember(approval: Approval, agent: string): void {
    if (!this.#approvals.has(approval.id)) this.#approvals.set(approval.id, { approval, agent });
  }

  reportRequestEnd(id: string, end: string): void {
    const known = this.#approvals.get(id);
    if (known === undefined) return;
    this.#approvals.delete(id);
    const decision = end === "once" || end === "session" ? "allow-once" : "deny";
    const payload = {
      id,
      decision,
      resolvedBy: null,
      ts: this.gateway.now(),
      request: known.approval.request,
    };
    this.#toApprovers(known.agent, { event: "exec.approval.resolved", payload });
  }

  /** Follows a run that may ask for permission, and sessions that clients wait for. */
  #observe(conversation: Conversation): void {
    const connections = [...this.#connections];
    const { agent } = conversation.session.header;
    for (const connection of connections) connection.observe(nameOf(conversation), conversation);
    if (!conversation.busy) return;
    if (!connections.some(({ permit, mayApprove }) => mayApprove && mayUse(permit, agent))) return;
    this.feeds.release({ conversation }, this.feeds.claim({ conversation }));
  }

  #changeFrame(found: SessionSummary, running: Conversation | undefined): (seq: number) => string {
    const now = this.gateway.now();
    const runId = running === undefined ? undefined : this.feeds.of(running)?.runId;
    const session = sessionRow(found, { isRunning: running !== undefined, runId }, now);
    const reason = running === undefined ? "agent.input.settled" : "agent.run.started";
    const { key = found.id, agent: agentId } = found;
    const payload = { ...session, sessionKey: key, agentId, reason, ts: now, session, ancestorSessions: [] };
    return eventFrames({ event: "sessions.changed", payload });
  }

  #toApprovers(agent: string, event: WireEvent): void {
    const frame = eventFrames(event);
    for (const connection of this.#connections) {
      if (connection.mayApprove && mayUse(connection.permit, agent)) connection.send(frame);
    }
  }

  #broadcast(event: WireEvent): void {
    const frame = eventFrames(event);
    for (const connection of this.#connections) connection.send(frame);
  }

  #shutDown(): void {
    clearInterval(this.#ticks);
    this.#broadcast({ event: "shutdown", payload: { reason: "the gateway is shutting down" } });
  }
}
