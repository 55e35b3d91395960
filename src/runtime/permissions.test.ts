import { expect, test } from "vitest";
import { Suspended } from "../agent/suspended.js";
import { noteOf } from "../core/message/notes.js";
import type { ToolCall } from "../core/types.js";
import { MemoryStore } from "../log/memory/memory-store.js";
import type { SessionLog } from "../log/types.js";
import { Permissions, type PermissionsOptions } from "./permissions.js";
import type { ConversationEvent } from "./types.js";

const toolCall: ToolCall = { type: "toolCall", id: "c1", name: "exec", arguments: {} };
const never = new AbortController().signal;

interface Process {
  permissions: Permissions;
  events: ConversationEvent[];
  /** The next event of a type. */
  until(type: ConversationEvent["type"]): Promise<ConversationEvent>;
}

function processOn(session: SessionLog, options: Partial<PermissionsOptions> = {}): Process {
  const events: ConversationEvent[] = [];
  const waiting: { type: string; resolve: (event: ConversationEvent) => void }[] = [];
  const permissions = new Permissions({
    session,
    append: async (note) => void (await session.append([note])),
    now: () => 1000,
    waits: true,
    expireAfterMs: 60_000,
    emit: (event) => {
      events.push(event);
      for (const { type, resolve } of waiting) if (type === event.type) resolve(event);
    },
    onFailure: (error) => {
      throw error;
    },
    ...options,
  });
  return { permissions, events, until: (type) => new Promise((resolve) => waiting.push({ type, resolve })) };
}

async function newSession(): Promise<SessionLog> {
  return new MemoryStore().log.create({ agent: "main" });
}

async function notesOf(session: SessionLog): Promise<unknown[]> {
  const notes: unknown[] = [];
  for await (const { message } of session.read()) {
    const note = noteOf(message);
    if (note?.type === "dragoman/question") notes.push(note.data);
  }
  return notes;
}

test("a request is in the log before it is shown, and waits without an approver until it is answered", async () => {
  const session = await newSession();
  const { permissions, events, until } = processOn(session);
  const shown = until("permission");
  const ended = permissions.request({ toolCall, subject: "ls", isResumable: true }, never);
  await shown;
  const [request] = await permissions.pending();
  expect(request).toEqual({ id: expect.any(String), toolCall, subject: "ls", asked: 1000, expires: 61_000 });
  const id = request?.id ?? "";
  expect(await notesOf(session)).toEqual([
    { state: "asked", id, session: session.id, toolCall, subject: "ls", expires: 61_000, resumable: true },
  ]);
  expect(await permissions.answer("another", "once")).toBe(false);
  expect(await permissions.answer(id, "session", { by: "T1" })).toBe(true);
  expect(await ended).toEqual({ end: "session" });
  expect(await permissions.pending()).toEqual([]);
  expect(await permissions.answer(id, "never")).toBe(false);
  expect(events.at(-1)).toEqual({ type: "permission_end", id, end: "session" });
  await permissions.recordStart();
  expect((await notesOf(session)).slice(1)).toEqual([
    { state: "answered", id, answer: "session", by: "T1" },
    { state: "started", ids: [id] },
  ]);
});

test("another process sees the request and answers it; of two answers, one counts", async () => {
  const session = await newSession();
  const { permissions, until } = processOn(session);
  const other = processOn(session).permissions;
  const shown = until("permission");
  const ended = permissions.request({ toolCall }, never);
  await shown;
  const [request] = await other.pending();
  const id = request?.id ?? "";
  const given = await Promise.all([
    other.answer(id, "never", { by: "T1" }),
    permissions.answer(id, "once", { by: "T2" }),
  ]);
  expect(given.filter(Boolean)).toHaveLength(1);
  const { end } = await ended;
  expect(end).toBe(given[0] ? "never" : "once");
  expect((await notesOf(session)).slice(1)).toHaveLength(1);
});

test("a client that has used the key of an answer for a message cannot block the answer", async () => {
  const session = await newSession();
  const { permissions, until } = processOn(session);
  const shown = until("permission");
  const ended = permissions.request({ toolCall }, never);
  await shown;
  const id = (await permissions.pending())[0]?.id ?? "";
  await session.append([
    { role: "user", content: "x", timestamp: 1, ext: { sent: { idempotencyKey: `question:${id}` } } },
  ]);
  expect(await permissions.answer(id, "never")).toBe(true);
  expect(await ended).toEqual({ end: "never" });
});

test("a request expires at its time, and states it", async () => {
  const session = await newSession();
  const { permissions, events } = processOn(session, { expireAfterMs: 1, now: Date.now });
  expect(await permissions.request({ toolCall }, never)).toEqual({ end: "expired" });
  expect(events.at(-1)).toMatchObject({ type: "permission_end", end: "expired" });
  expect((await notesOf(session)).at(-1)).toMatchObject({ state: "expired" });
});

test("an abort withdraws a request", async () => {
  const session = await newSession();
  const { permissions, until } = processOn(session);
  const controller = new AbortController();
  const shown = until("permission");
  const ended = permissions.request({ toolCall, isResumable: true }, controller.signal);
  await shown;
  controller.abort();
  expect(await ended).toEqual({ end: "withdrawn" });
  await permissions.endRun(controller.signal);
  expect((await notesOf(session)).at(-1)).toMatchObject({ state: "withdrawn" });
  expect(await permissions.pending()).toEqual([]);
});

test("a suspended run leaves its request open, and the next process uses it with its answer", async () => {
  const session = await newSession();
  const { permissions, until } = processOn(session);
  const controller = new AbortController();
  const shown = until("permission");
  const ended = permissions.request({ toolCall, isResumable: true }, controller.signal);
  await shown;
  expect(permissions.hasUnstarted).toBe(true);
  controller.abort(new Suspended());
  await ended;
  const next = processOn(session);
  const [request] = await next.permissions.pending();
  expect(request?.toolCall).toEqual(toolCall);
  expect(await next.permissions.answer(request?.id ?? "", "once")).toBe(true);
  const left = { isResumable: true, isStarted: false, end: "once" as const };
  next.permissions.restore(request === undefined ? [] : [{ request, ...left }]);
  expect(next.permissions.isResumed).toBe(true);
  expect(await next.permissions.request({ toolCall, isResumable: true }, never)).toEqual({ end: "once" });
  expect((await notesOf(session)).map((note) => Object(note).state)).toEqual(["asked", "answered"]);
});

test("a suspended run withdraws a request that ends with its process", async () => {
  const session = await newSession();
  const { permissions, until } = processOn(session);
  const controller = new AbortController();
  const shown = until("permission");
  const ended = permissions.request({ toolCall }, controller.signal);
  await shown;
  expect(permissions.hasUnstarted).toBe(false);
  controller.abort(new Suspended());
  await ended;
  await permissions.endRun(controller.signal);
  expect(await processOn(session).permissions.pending()).toEqual([]);
});

test("without an approver nothing can be asked where requests do not wait", async () => {
  const { permissions } = processOn(await newSession(), { waits: false });
  expect(permissions.canAsk).toBe(false);
  const leave = permissions.addApprover();
  expect(permissions.canAsk).toBe(true);
  leave();
  expect(permissions.canAsk).toBe(false);
});
