import type { RpcSessionInfo } from "dragoman/client";
import { emptyUsage } from "dragoman/core";
import { describe, expect, test } from "vitest";
import { groupsOf, type SessionNode } from "./session-groups.js";
import { emptyList, listOf, withPage, withSession, withSessionEvent } from "./session-list.js";

function session(id: string, more: Partial<RpcSessionInfo> = {}): RpcSessionInfo {
  const counts = { user: 0, assistant: 0, toolResult: 0, lines: 0, bad: 0 };
  return {
    sessionKey: id,
    id,
    agent: "main",
    counts,
    usage: emptyUsage(),
    unknownPrices: false,
    models: [],
    archived: false,
    foreign: false,
    ...more,
  };
}

describe("the list", () => {
  const first = listOf({ sessions: [session("a")], busy: ["a"], asking: ["a"], next: "a" });

  test("grows by pages, and what was told meanwhile is not overwritten by them", () => {
    const told = withSessionEvent(first, {
      session: session("b", { title: "young" }),
      busy: true,
      asking: true,
    });
    const more = withPage(told, {
      sessions: [session("b", { title: "old" }), session("c")],
      busy: [],
      asking: [],
    });
    expect([...more.sessions.values()].map(({ id, title }) => [id, title])).toEqual([
      ["b", "young"],
      ["c", undefined],
      ["a", undefined],
    ]);
    expect([...more.busy]).toEqual(["a", "b"]);
    expect([...more.asking]).toEqual(["a", "b"]);
    expect(more.next).toBeUndefined();
  });

  test("hears when work begins and ends", () => {
    const rested = withSessionEvent(first, {
      session: session("a", { title: "done" }),
      busy: false,
      asking: false,
    });
    expect([rested.busy.size, rested.asking.size]).toEqual([0, 0]);
    expect(rested.sessions.get("a")?.title).toBe("done");
    expect(rested.next).toBe("a");
  });

  test("knows of a session that somebody looks at", () => {
    expect(withSession(emptyList, session("z")).sessions.has("z")).toBe(true);
  });
});

describe("in the side bar", () => {
  const now = new Date(2026, 10, 15, 12).getTime();
  const hours = (count: number) => now - count * 3_600_000;

  function shown(sessions: readonly RpcSessionInfo[], archived = false): unknown[] {
    const names = ({ session: { id }, subAgents }: SessionNode): unknown =>
      subAgents.length === 0 ? id : [id, subAgents.map(names)];
    return groupsOf(listOf({ sessions: [...sessions], busy: [], asking: [] }), { archived, now }).map(
      ({ title, nodes }) => [title, nodes.map(names)],
    );
  }

  test("sessions are grouped by day, the youngest first", () => {
    expect(
      shown([
        session("old", { active: new Date(2026, 8, 3).getTime() }),
        session("noon", { active: hours(1) }),
        session("morning", { active: hours(11) }),
        session("evening", { active: hours(13) }),
        session("monday", { active: hours(24 * 4) }),
        session("never"),
      ]),
    ).toEqual([
      ["Today", ["noon", "morning"]],
      ["Yesterday", ["evening"]],
      ["Last seven days", ["monday"]],
      ["September 2026", ["old"]],
      ["Undated", ["never"]],
    ]);
  });

  test("those of sub-agents are under the one that started them, forks stand by themselves", () => {
    expect(
      shown([
        session("main", { active: hours(2) }),
        session("helper", { active: hours(1), parent: { session: "main", toolCallId: "c1" } }),
        session("deeper", { active: hours(1), parent: { session: "helper", toolCallId: "c2" } }),
        session("fork", { active: hours(3), parent: { session: "main", message: "m" } }),
        session("orphan", { active: hours(4), parent: { session: "gone", toolCallId: "c3" } }),
      ]),
    ).toEqual([["Today", [["main", [["helper", ["deeper"]]]], "fork", "orphan"]]]);
  });

  test("archived ones are by themselves", () => {
    const sessions = [session("a", { active: now }), session("b", { active: now, archived: true })];
    expect(shown(sessions)).toEqual([["Today", ["a"]]]);
    expect(shown(sessions, true)).toEqual([["Today", ["b"]]]);
  });
});
