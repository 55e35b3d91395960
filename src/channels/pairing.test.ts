import { expect, test } from "vitest";
import { approve, removePerson, requestPairing, stillPending } from "./pairing.js";
import type { People } from "./people-schema.js";

const nobody: People = { approved: [], pending: [] };
const HOUR = 3_600_000;

/** Bytes that count on, so that codes are known. */
function counting(): (count: number) => Uint8Array {
  let next = 0;
  return (count) => Uint8Array.from({ length: count }, () => next++);
}

const random = counting();
const ask = (people: People, id: string, { message = `m${id}`, now = 0 } = {}) =>
  requestPairing(people, { sender: { id, name: `name of ${id}` }, message, now, random });

test("a stranger is told one code, once", () => {
  const first = requestPairing(nobody, {
    sender: { id: "7", name: "Ann" },
    message: "1",
    now: 5,
    random: counting(),
  });
  expect(first).toEqual({
    people: { approved: [], pending: [{ code: "ABCDEFGH", id: "7", name: "Ann", message: "1", since: 5 }] },
    code: "ABCDEFGH",
  });
  expect(ask(first.people, "7", { message: "2" })).toEqual({ people: first.people });
});

test("the message that asked, handled again after a crash, gets the same code", () => {
  const first = ask(nobody, "7", { message: "1" });
  expect(ask(first.people, "7", { message: "1" })).toEqual(first);
});

test("codes have no letters that look alike, whatever the bytes", () => {
  const every = Array.from(
    { length: 32 },
    (_, block) =>
      requestPairing(nobody, {
        sender: { id: "7" },
        message: "1",
        now: 0,
        random: (count) => Uint8Array.from({ length: count }, (_, index) => block * 8 + index),
      }).code,
  ).join("");
  expect([...new Set(every)].sort().join("")).toBe("23456789ABCDEFGHJKLMNPQRSTUVWXYZ");
  expect(every).toHaveLength(256);
});

test("a code that is taken is not given twice", () => {
  const bytes = [new Uint8Array(8), new Uint8Array(8), new Uint8Array(8).fill(1)];
  const source = () => bytes.shift() ?? new Uint8Array(8);
  const one = requestPairing(nobody, { sender: { id: "1" }, message: "1", now: 0, random: source });
  const two = requestPairing(one.people, { sender: { id: "2" }, message: "2", now: 0, random: source });
  expect([one.code, two.code]).toEqual(["AAAAAAAA", "BBBBBBBB"]);
});

test("no more than three wait; the fourth is told nothing until one has expired", () => {
  let people = nobody;
  for (const id of ["1", "2", "3"]) people = ask(people, id, { now: Number(id) }).people;
  const fourth = ask(people, "4", { now: HOUR });
  expect([fourth.code, fourth.people.pending.map(({ id }) => id)]).toEqual([undefined, ["1", "2", "3"]]);
  const later = ask(people, "4", { now: HOUR + 1 });
  expect(later.code).toMatch(/^[A-Z2-9]{8}$/);
  expect(later.people.pending.map(({ id }) => id)).toEqual(["2", "3", "4"]);
});

test("a code is approved as people type it, within the hour, once", () => {
  const { people } = requestPairing(nobody, {
    sender: { id: "7", name: "Ann" },
    message: "1",
    now: 0,
    random: counting(),
  });
  expect(approve(people, "abcd-EFGH ", { now: HOUR - 1, owner: true })).toEqual({
    people: { approved: [{ id: "7", name: "Ann", owner: true, since: HOUR - 1 }], pending: [] },
    person: { id: "7", name: "Ann", owner: true, since: HOUR - 1 },
  });
  expect(approve(people, "ABCDEFGH", { now: HOUR, owner: false })).toBeUndefined();
  expect(approve(people, "", { now: 1, owner: false })).toBeUndefined();
  const approved = approve(people, "ABCDEFGH", { now: 1, owner: false })?.people ?? nobody;
  expect(approve(approved, "ABCDEFGH", { now: 2, owner: true })).toBeUndefined();
});

test("somebody who is removed is neither approved nor waiting", () => {
  const { people } = ask({ ...nobody, approved: [{ id: "7", owner: true, since: 0 }] }, "7");
  expect(removePerson(people, "7")).toEqual({ approved: [], pending: [] });
  expect(removePerson(people, "name of 7")).toEqual(people);
});

test("a long name is cut, never within a character", () => {
  const { people } = requestPairing(nobody, {
    sender: { id: "7", name: "😀".repeat(200) },
    message: "1",
    now: 0,
    random,
  });
  expect(stillPending(people, 0)[0]?.name).toBe("😀".repeat(80));
});

test("somebody who is approved again is there once, as they were approved last", () => {
  const before = { approved: [{ id: "7", owner: false, since: 1 }], pending: [] };
  const { people, code = "" } = ask(before, "7");
  expect(approve(people, code, { now: 2, owner: true })?.people).toEqual({
    approved: [{ id: "7", name: "name of 7", owner: true, since: 2 }],
    pending: [],
  });
});

test("a stranger with several ids is told one code", () => {
  const { people } = ask(nobody, "77@lid", { message: "1" });
  const sender = { id: "49@s.whatsapp.net", otherIds: ["77@lid"] };
  expect(requestPairing(people, { sender, message: "2", now: 0, random })).toEqual({ people });
});
