import { expect, test } from "vitest";
import { emptyUsage } from "../../core/message/usage.js";
import type { SessionSummary } from "../../log/catalogue/types.js";
import { painter } from "../terminal/colour.js";
import { sessionRows, shortest } from "./list-rows.js";

const now = Date.parse("2026-01-15T12:00:00Z");

function session(id: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    id,
    source: "dragoman",
    agent: "main",
    path: `/${id}`,
    foreign: false,
    active: now - 180_000,
    counts: { user: 1, assistant: 1, toolResult: 0, lines: 3, bad: 0 },
    badLines: [],
    usage: emptyUsage(),
    unknownPrices: false,
    models: [],
    archived: false,
    ...more,
  };
}

function rows(sessions: SessionSummary[], columns?: number): string[] {
  return sessionRows(sessions, { now, columns, paint: painter(false) });
}

test("children stand below their parents, and what is special is said", () => {
  const counts = { user: 1000, assistant: 234, toolResult: 0, lines: 1235, bad: 1 };
  expect(
    rows([
      session("01KF000003", { title: "Child of the child", parent: { session: "01KF000002" } }),
      session("01KF000001", { title: "First", key: "agent:main:telegram:dm:12", counts }),
      session("01KF000002", { title: "Child", parent: { session: "01KF000001" }, archived: true }),
      session("01KF000004", { title: "In a terminal", key: "agent:main:cli:dm:01m7pjmn7dpr9gr5gdn1mat000" }),
      session("6f0d2f4e-9", { agent: "ops", foreign: true, parent: { session: "nobody" } }),
    ]),
  ).toEqual([
    "ID          AGENT  TITLE                   MESSAGES  COST  LAST       WHERE",
    "01KF000001  main   First                      1,234    $0  3 min ago  telegram:dm:12 (damaged)",
    "01KF000002  main   └ Child                        2    $0  3 min ago  (archived)",
    "01KF000003  main     └ Child of the child         2    $0  3 min ago",
    "01KF000004  main   In a terminal                  2    $0  3 min ago  cli",
    "6f0d2f4e-9  ops    (no messages yet)              2    $0  3 min ago  (foreign)",
  ]);
});

test("with sources, the columns are the source, the models and the tokens, and the place is the folder", () => {
  const usage = { ...emptyUsage(), input: 1200, totalTokens: 1200 };
  const models = ["anthropic/claude-sonnet-4-5", "anthropic/claude-haiku-4-5"];
  const claude = session("0f0d2f4e-1111", { source: "claude-code", foreign: true, folder: "/home/ann/app" });
  const own = session("01KF000001", { title: "Ours" });
  expect(
    sessionRows([{ ...claude, title: "Theirs", usage, models }, own], {
      now,
      columns: undefined,
      sources: true,
      paint: painter(false),
    }),
  ).toEqual([
    "ID          SOURCE       TITLE   MODEL                 MESSAGES  TOKENS  COST  LAST       WHERE",
    "0f0d2f4e-1  claude-code  Theirs  claude-sonnet-4-5 +1         2   1,200    $0  3 min ago  /home/ann/app",
    "01KF000001  dragoman     Ours    –                            2       0    $0  3 min ago",
  ]);
});

test("titles give way to a narrow terminal, and carry no commands to it", () => {
  const title = "A \u001b[31mred\u001b[0m title\nthat is far too long for the terminal it is shown in";
  expect(rows([session("01KF000001", { title })], 70)).toEqual([
    "ID          AGENT  TITLE              MESSAGES  COST  LAST       WHERE",
    "01KF000001  main   A red title that…         2    $0  3 min ago",
  ]);
});

test("the place gives way, too; records have all of the title", () => {
  const one = session("01KF000001", {
    agent: "research",
    title: "Where do we eat on Friday?",
    key: "agent:research:telegram:dm:42",
  });
  expect(rows([one], 75)).toEqual([
    "ID          AGENT     TITLE             MESSAGES  COST  LAST       WHERE",
    "01KF000001  research  Where do we eat…         2    $0  3 min ago  telegra…",
  ]);
  expect(rows([one], 60)).toEqual([
    "ID        01KF000001",
    "AGENT     research",
    "TITLE     Where do we eat on Friday?",
    "MESSAGES  2",
    "COST      $0",
    "LAST      3 min ago",
    "WHERE     telegram:dm:42",
  ]);
});

test("parents that lead in a circle are listed all the same", () => {
  const circle = [session("a", { parent: { session: "b" } }), session("b", { parent: { session: "a" } })];
  expect(rows([...circle, session("c", { parent: { session: "c" } })])).toHaveLength(4);
});

test("ids are as long as is needed to tell them apart", () => {
  expect(shortest(["01KF00000112345", "01KF00000212345"])).toBe(10);
  expect(shortest(["01KF000000123AB", "01KF000000123CD"])).toBe(14);
  expect(shortest(["short"])).toBe(10);
  expect(shortest(["same", "same"])).toBe(10);
});
