import { expect, test } from "vitest";
import { redactSecrets } from "./secrets.js";

test.each([
  ["bad key sk-provider-secret-key-1", "bad key [secret]"],
  ["Authorization: Bearer abc.def refused", "Authorization: Bearer [secret] refused"],
  ["key AIzaSyA0123456789abcdefghijk is off", "key [secret] is off"],
  ["dgm_abc", "[secret]"],
  ["sk-12345678", "[secret]"],
  ["sk-1234567", "sk-1234567"],
  ["gsk_1234567890123456", "[secret]"],
  ["xai-1234567890123456", "[secret]"],
  ["hf_1234567890123456", "[secret]"],
  ["r8_1234567890123456", "[secret]"],
  ["r8_123456789012345", "r8_123456789012345"],
  ["the task-list is sk-1, a risk", "the task-list is sk-1, a risk"],
])("%s is shown as %s", (text, shown) => {
  expect(redactSecrets(text)).toBe(shown);
});

test("a secret that looks like nothing is known by its value; a short one would be found by chance", () => {
  expect(redactSecrets("key my.own.key.7 (my.own.key.7)", ["my.own.key.7"])).toBe("key [secret] ([secret])");
  expect(redactSecrets("a test", ["a"])).toBe("a test");
  expect(redactSecrets("the text ends in my.own.ke", ["my.own.key.7"])).toBe("the text ends in [secret]");
  expect(redactSecrets("8 letters: abcd.efg, abcd.ef", ["abcd.efg"])).toBe("8 letters: [secret], abcd.ef");
  expect(redactSecrets("7 letters: abcd.ef", ["abcd.ef"])).toBe("7 letters: abcd.ef");
  expect(redactSecrets("cut off: my.own.k", ["my.own.key.7"])).toBe("cut off: [secret]");
  expect(redactSecrets("cut off: my.own.", ["my.own.key.7"])).toBe("cut off: my.own.");
});
