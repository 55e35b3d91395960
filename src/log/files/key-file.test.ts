import fc from "fast-check";
import { expect, test } from "vitest";
import { keyFileName, keyInFileName, sessionFileName } from "./key-file.js";

test.each([
  ["agent:main:main", "agent.main.main"],
  ["agent:main:telegram:group:-100123:topic:42", "agent.main.telegram.group.-100123.topic.42"],
  ["agent:main:whatsapp:dm:491@s.whatsapp.net", "agent.main.whatsapp.dm.491@s%2ewhatsapp%2enet"],
  ["agent:main:slack:dm:U02Ab", "agent.main.slack.dm.%5502%41b"],
  ["agent:main:x:dm:a/b\\c*ü", "agent.main.x.dm.a%2fb%5cc%2a%c3%bc"],
])("%s is kept in %s", (key, name) => {
  expect(keyFileName(key)).toBe(name);
});

test("a long key is cut and told apart by a hash", () => {
  const key = `agent:main:telegram:dm:${"7".repeat(200)}`;
  expect(keyFileName(key)).toBe(
    "agent.main.telegram.dm.777777777777777777777777777777777777777777777777777777777~1b7f9553e9a0d65fa69f271a1c95c4e3",
  );
  expect(keyFileName(`${key}1`)).not.toBe(keyFileName(`${key}2`));
});

test("different keys have different files, also where case does not count, and none is special anywhere", () => {
  let close = 0;
  const part = fc.string({ unit: fc.constantFrom(..."aAbB1.%:~@+-_/ü"), minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(part, part, (one, other) => {
      const names = [one, other].map((text) => keyFileName(`agent:main:${text}`).toLowerCase());
      for (const name of names) expect(name).toMatch(/^agent\.main\.[a-z0-9_@+.%~-]{1,120}$/);
      expect(names[0] === names[1]).toBe(one === other);
      const swapped = [...one].map((char) => (char === "a" ? "A" : char)).join("");
      if (swapped === one) return;
      close += 1;
      expect(keyFileName(`agent:main:${swapped}`).toLowerCase()).not.toBe(names[0]);
    }),
    { numRuns: 500 },
  );
  expect(close).toBeGreaterThan(100);
});

test.skipIf(process.platform === "win32").each([
  ["agent:main:telegram:dm:123456789", "agent:main:telegram:dm:123456789"],
  ["agent:main:x:dm:a/b\\c", "agent:main:x:dm:a%2Fb%5Cc"],
  ["agent:main:x:dm:a%3Ab", "agent:main:x:dm:a%3Ab"],
])("OpenClaw's file of %s is %s", (key, name) => {
  expect(sessionFileName(key)).toBe(name);
  expect(keyInFileName(name)).toBe(key);
});

test("a file that is not named by a key has none", () => {
  expect(keyInFileName("6f0d2f4e-2b1c-4d7e-9f00-000000000001")).toBeUndefined();
  expect(keyInFileName("agent:main")).toBeUndefined();
  expect(keyInFileName("agent:main:telegram:direct:5")).toBe("agent:main:telegram:dm:5");
});
