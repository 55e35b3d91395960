import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { Loss } from "../core/types.js";
import { fileDialect, fileMessages } from "./transcript.js";

const time = '"timestamp":"2026-01-05T09:00:01.000Z"';
const said = (text: string) => `"message":{"role":"user","content":"${text}","timestamp":1767603601000}`;
const branched = `{"type":"session","version":3,"id":"s",${time},"cwd":""}
{"type":"message","id":"a","parentId":null,${time},${said("root")}}
{"type":"message","id":"b","parentId":"a",${time},${said("left")}}
{"type":"message","id":"c","parentId":"a",${time},${said("right")}}
`;

async function told(leaf?: string): Promise<{ ids: (string | undefined)[]; losses: Loss[] }> {
  const path = join(temporaryFolder(), "branched.jsonl");
  writeFileSync(path, branched);
  const ids: (string | undefined)[] = [];
  const losses: Loss[] = [];
  const options = { onLoss: (loss: Loss) => losses.push(loss), ...(leaf === undefined ? {} : { leaf }) };
  for await (const { id } of fileMessages(path, await fileDialect(path), options)) ids.push(id);
  return { ids, losses };
}

test("of a transcript with branches one is read, and the others are losses", async () => {
  expect(await told()).toEqual({
    ids: ["s", "a", "c"],
    losses: [
      {
        at: "/2",
        what: "the user message",
        why: "it is on another branch",
        severity: "dropped",
        of: "message",
      },
    ],
  });
  expect((await told("b")).ids).toEqual(["s", "a", "b"]);
});
