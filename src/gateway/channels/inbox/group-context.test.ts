import { expect, test } from "vitest";
import type { Inbound } from "../../../channels/types.js";
import { framingOf, newest, trimmedForContext } from "./group-context.js";

function said(text: string, more: Partial<Inbound> = {}): Inbound {
  return {
    message: {
      From: "8",
      To: "99",
      ChatType: "group",
      Text: text,
      MessageId: "1",
      ReplyToText: "x".repeat(9000),
    },
    id: "1",
    place: { kind: "group", chat: "-5" },
    sender: { id: "8" },
    attachments: [],
    addressed: false,
    ...more,
  };
}

test("of a message, its beginning is kept, and how much of it is not", () => {
  expect(trimmedForContext(said("<".repeat(4096))).message).toEqual({
    From: "8",
    To: "99",
    ChatType: "group",
    Text: "<".repeat(1000),
    TextCut: 3096,
  });
  const half = trimmedForContext(said(`${"a".repeat(999)}😀`)).message;
  expect([half.Text, half["TextCut"]]).toEqual(["a".repeat(999), 2]);
});

test("files and what is passed on are named", () => {
  const attachments = [{ kind: "image", handle: "secret" }] as const;
  const inbound = said("look", { attachments });
  inbound.message = { ...inbound.message, PassedOn: [{ Kind: "forwarded", Text: "old" }, { Kind: "game" }] };
  const kept = trimmedForContext(inbound);
  expect(kept.message.Text).toBe("look [forwarded] old [game] [image]");
  expect(kept.attachments).toEqual([]);
  expect(trimmedForContext(kept)).toEqual(kept);
});

test("of all messages the newest are kept, by number and by length, and the rest is counted", () => {
  const many = Array.from({ length: 60 }, (_, index) => said(String(index)));
  const few = framingOf(many);
  expect([few.before?.length, few.before?.[0]?.text, few.leftOut]).toEqual([50, "10", 10]);
  const long = framingOf(many.map(() => said("<".repeat(4096))));
  expect([long.before?.length, long.leftOut]).toEqual([16, 44]);
  expect(JSON.stringify(long).length).toBeLessThan(20_000);
  expect(framingOf([])).toEqual({});
});

test("what was left out before is counted on, one message after another", () => {
  let kept: { inbound: Inbound }[] = [];
  for (let index = 0; index < 120; index++)
    kept = newest([...kept, { inbound: trimmedForContext(said(String(index))) }]);
  expect([kept.length, kept[0]?.inbound.message.Text, kept[0]?.inbound.message["LeftOut"]]).toEqual([
    50,
    "70",
    70,
  ]);
});
