import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { failureOf } from "../../test/support/tool-call.js";
import { Anchor, canAnchor } from "./anchor.js";

test.each([...new Set([canAnchor, false])])(
  "a file that has become a link when it is opened is not read (anchored: %s)",
  async (anchored) => {
    const [inside, outside] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(outside, "canary.txt"), "canary");
    symlinkSync(join(outside, "canary.txt"), join(inside, "file.txt"));
    const anchor = await Anchor.open(inside, anchored);
    onTestFinished(() => anchor.close());
    expect(await failureOf(anchor.openToRead("file.txt"))).toBe(
      'tools/changed: "file.txt" was replaced while it was being opened; try again',
    );
  },
);
