import { expect, test } from "vitest";
import { shownPerson } from "./shown-person.js";

test.each([
  [{ id: "7", name: "Ann" }, "Ann (7)"],
  [{ id: "4915112345678@s.whatsapp.net" }, "4915112345678@s.whatsapp.net"],
  [{ id: "boss ", name: "Boss" }, 'Boss ("boss ")'],
  [{ id: "b\u043ess" }, '"b\\u043ess"'],
  [{ id: "7", name: "Ann\u001b[2J\n(8)" }, "Ann (8) (7)"],
])("%j is shown as %s", (person, shown) => {
  expect(shownPerson(person)).toBe(shown);
});
