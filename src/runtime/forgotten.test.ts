import { expect, test } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { Runtime } from "./runtime.js";

const inFolder = folderForEachTest();

test("of the conversations that nobody needs only the last ones stay open, and each can be opened again", async () => {
  const runtime = new Runtime({ home: inFolder("home"), config: {} });
  const [idle, watched] = [await runtime.begin({}), await runtime.begin({})];
  watched.watch(() => undefined);
  await idle.send({ role: "user", content: "Hi", timestamp: 1 });
  await idle.idle();
  for (let count = 0; count < 101; count++) await runtime.begin({});
  const late = idle.session.append([{ role: "user", content: "Still there?", timestamp: 2 }]);
  await expect(late).rejects.toMatchObject({ code: "log/closed" });
  const again = await runtime.open(idle.session.id);
  expect(again).not.toBe(idle);
  expect((await again.messages()).map(({ role }) => role)).toEqual(["session", "user", "assistant"]);
  expect(await runtime.open(watched.session.id)).toBe(watched);
  await runtime.close();
});
