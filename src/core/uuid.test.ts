import { expect, test } from "vitest";
import { isUuid, uuidFor } from "./uuid.js";

// Made with Python: uuid.uuid5(UUID("0b8f2d6e-523c-4a0d-9d5a-1c7e4470e631"), name).
test.each([
  ["", "cd58827c-2052-580f-a105-ee7040b480a1"],
  ["01J9ZK3V8Q0000000000000000", "ab9ba20e-6293-51bb-8214-819c31b5f0cc"],
  ["m1", "55978e44-0391-529e-a526-7bbc7d5c94a0"],
  ["é😀", "9445dcb8-5c17-56b4-8998-27cd015f2ab7"],
  ["x".repeat(200), "66f32ba8-7e50-5ee8-af92-af75788af88e"],
])("the UUID for %j", (name, uuid) => {
  expect(uuidFor(name)).toBe(uuid);
  expect(isUuid(uuid)).toBe(true);
});

test.each(["", "m1", "cd58827c2052580fa105ee7040b480a1", "cd58827c-2052-580f-a105-ee7040b480a1 "])(
  "%j is not a UUID",
  (text) => expect(isUuid(text)).toBe(false),
);
