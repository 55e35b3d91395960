import { describe, expect, test } from "vitest";
import { TokenStore, tokenInFragment } from "../../gateway/token.js";
import { Drafts } from "./drafts.js";
import { memoryStorage } from "./memory-keeper.js";
import { SeenSessions } from "./seen.js";

describe("the token", () => {
  test.each([
    ["#token=dgm_abc", { text: "dgm_abc", where: "all-tabs" }],
    ["#share=dgm_abc", { text: "dgm_abc", where: "shared" }],
    ["#token=", undefined],
    ["#/session/01J", undefined],
    ["", undefined],
  ])("in %j is %j", (hash, token) => {
    expect(tokenInFragment(hash)).toEqual(token);
  });

  test("of the link is for all tabs, a pasted one for its own, and only one of them is kept", () => {
    const [all, own] = [memoryStorage(), memoryStorage()];
    const keeper = new TokenStore(all, own);
    expect(keeper.read()).toBeUndefined();
    keeper.store("dgm_link", "all-tabs");
    expect([all.kept.size, own.kept.size, keeper.read()]).toEqual([1, 0, "dgm_link"]);
    keeper.store("dgm_pasted", "this-tab");
    expect([all.kept.size, own.kept.size, keeper.read()]).toEqual([0, 1, "dgm_pasted"]);
    keeper.clear();
    expect([all.kept.size, own.kept.size]).toEqual([0, 0]);
  });

  test("of a share link is for its tab, beside the one of the others, which stays when it ends", () => {
    const [all, own] = [memoryStorage(), memoryStorage()];
    const keeper = new TokenStore(all, own);
    keeper.store("dgm_owner", "all-tabs");
    keeper.store("dgm_share", "shared");
    expect([all.kept.size, own.kept.size, keeper.read()]).toEqual([1, 1, "dgm_share"]);
    keeper.remove("dgm_share");
    expect([all.kept.size, own.kept.size, keeper.read()]).toEqual([1, 0, "dgm_owner"]);
  });
});

describe("what was seen", () => {
  test("before the first visit nothing is news; afterwards what has not been looked at is", () => {
    const keeper = memoryStorage();
    const seen = new SeenSessions(keeper, 1000);
    expect(seen.isUnread({ id: "a", active: 900 })).toBe(false);
    expect(seen.isUnread({ id: "a", active: 1100 })).toBe(true);
    seen.markSeen({ id: "a", active: 1100 });
    expect(seen.isUnread({ id: "a", active: 1100 })).toBe(false);
    expect(seen.isUnread({ id: "a", active: 1200 })).toBe(true);
    expect(new SeenSessions(keeper, 5000).isUnread({ id: "b", active: 1100 })).toBe(true);
  });

  test.each(["no json", "[]", '{"since":"x","seen":7}'])("%j counts as nothing", (text) => {
    const seen = new SeenSessions(memoryStorage({ "dragoman.seen": text }), 1000);
    expect(seen.isUnread({ id: "a", active: 1001 })).toBe(true);
    expect(seen.isUnread({ id: "a", active: 999 })).toBe(false);
  });
});

test("a draft is kept for its session until it is empty", () => {
  const keeper = memoryStorage();
  const drafts = new Drafts(keeper);
  drafts.save("a", "Dear");
  drafts.save("b", "Hi");
  expect([drafts.of("a"), drafts.of("b"), drafts.of("c")]).toEqual(["Dear", "Hi", ""]);
  drafts.move("b", "a");
  expect([drafts.of("a"), drafts.of("b")]).toEqual(["Hi", ""]);
  drafts.move("a", "b");
  expect(keeper.kept.get("dragoman.drafts")).toBe('{"b":"Hi"}');
});
