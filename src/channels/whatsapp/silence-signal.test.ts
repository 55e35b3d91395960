import { expect, onTestFinished, test, vi } from "vitest";
import { correspondentOf, invitationOf, signalDevice } from "../../../test/fakes/signal-device.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { silenced } from "./silence-signal.js";

const { console: printer } = globalThis;
const BOB = "15550000000@s.whatsapp.net";

test("no private key is printed when a session is closed, and everything else is", async () => {
  const printed: unknown[] = [];
  const spy = vi.spyOn(printer, "info").mockImplementation((...values) => void printed.push(values[0]));
  onTestFinished(() => spy.mockRestore());
  const bob = await signalDevice(temporaryFolder());
  const { signal } = await correspondentOf(bob, BOB);

  await signal.injectE2ESession({ jid: BOB, session: await invitationOf(bob, 2) });
  expect(printed.splice(0)).toEqual(["Closing session:"]);

  const session = await invitationOf(bob, 3);
  const silently = silenced(signal).injectE2ESession({ jid: BOB, session });
  printer.info("meanwhile");
  await silently;
  printer.info("afterwards");
  expect(printed).toEqual(["meanwhile", "afterwards"]);
});
