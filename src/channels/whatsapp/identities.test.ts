import * as baileys from "baileys";
import { expect, test } from "vitest";
import { valuesIn } from "../../../test/support/values-in.js";
import { openAuth } from "./auth.js";
import { Identities } from "./identities.js";

/** The pairs that Baileys has heard of, as it stores them. */
async function identities(pairs: Record<string, string>): Promise<Identities> {
  const { keys } = (await openAuth(baileys, valuesIn())).state;
  await keys.set({ "lid-mapping": pairs });
  return Identities.open(baileys, valuesIn(), keys);
}

test("a pair that both sides name makes one person of two ids", async () => {
  const known = await identities({ "491": "777", "777_reverse": "491" });
  expect(await known.idsOf(["777@lid"], false)).toEqual(["491@s.whatsapp.net", "777@lid"]);
  expect(await known.idsOf(["491@s.whatsapp.net"], false)).toEqual(["491@s.whatsapp.net", "777@lid"]);
});

test("whoever gets the number of somebody else does not become that person", async () => {
  // 777 had the number 491, and has 492 now.
  const moved = await identities({ "491": "777", "492": "777", "777_reverse": "492" });
  expect(await moved.idsOf(["491@s.whatsapp.net"], false)).toEqual(["491@s.whatsapp.net"]);
  // 491 belonged to 777, and belongs to 888 now.
  const given = await identities({ "491": "888", "888_reverse": "491", "777_reverse": "491" });
  expect(await given.idsOf(["777@lid"], false)).toEqual(["777@lid"]);
});
