import { expect, test } from "vitest";
import { endingOf } from "./ending.js";

/** As Baileys throws it. */
function closed(statusCode: number, message = "Connection Failure") {
  return Object.assign(new Error(message), { output: { statusCode } });
}

test.each([
  [401, "this device was unlinked on the phone"],
  [403, "WhatsApp has blocked this account"],
  [411, "the phone does not support linked devices"],
  [440, "another program connected with this device's keys"],
])("%i ends it for good", (code, why) => {
  expect(endingOf(closed(code))).toMatchObject({ state: { state: "stopped", why }, atOnce: false });
});

test("after a device was linked it connects again at once", () => {
  expect(endingOf(closed(515, "Stream Errored (restart required)"))).toEqual({
    state: { state: "waiting", why: "Stream Errored (restart required)" },
    atOnce: true,
  });
});

test.each([
  [closed(428, "Connection Terminated"), "Connection Terminated"],
  [closed(408, "Connection was lost"), "Connection was lost"],
  [closed(503, "Stream Errored"), "Stream Errored"],
  [new Error("connect ECONNREFUSED 127.0.0.1:9"), "connect ECONNREFUSED 127.0.0.1:9"],
  [undefined, "the connection ended"],
])("others are waited for", (error, why) => {
  expect(endingOf(error)).toEqual({ state: { state: "waiting", why }, atOnce: false });
});
