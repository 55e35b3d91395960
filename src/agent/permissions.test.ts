import { Type } from "@sinclair/typebox";
import { describe, expect, test } from "vitest";
import { asked, harmless } from "../../test/support/risky-commands.js";
import type { ToolCall } from "../core/index.js";
import { type PermissionRule, permissionHook } from "./permissions.js";
import type { Tool } from "./types.js";

function tool(name: string, rest: Partial<Tool> = {}): Tool {
  return {
    name,
    description: name,
    parameters: Type.Object({}),
    subject: (args) => String(args),
    execute: async () => ({ content: "" }),
    ...rest,
  };
}

const exec = tool("exec");
const write = tool("write", { subjectKind: "path" });
const call: ToolCall = { type: "toolCall", id: "a", name: "x", arguments: {} };
const { signal } = new AbortController();

/** What becomes of a call: `asked` if somebody is asked. */
async function verdict(
  rules: PermissionRule[],
  of: Tool,
  subject: string,
): Promise<"allow" | "asked" | "deny"> {
  let asked = false;
  const hook = permissionHook(rules, async () => {
    asked = true;
    return "once";
  });
  const blocked = await hook(call, subject, of, signal);
  return asked ? "asked" : blocked === undefined ? "allow" : "deny";
}

describe("the defaults", () => {
  test.each([
    ["read", "allow"],
    ["write", "asked"],
    ["edit", "asked"],
    ["exec", "asked"],
    ["anything", "asked"],
  ])("%s: %s", async (name, expected) => {
    expect(await verdict([], tool(name), "x")).toBe(expected);
  });

  test("without anybody to ask, what would be asked is denied", async () => {
    expect(await permissionHook([])(call, "ls", exec, signal)).toEqual({
      block: '"exec" with "ls" needs approval, but no approver is present',
    });
    const { subject: _, ...silent } = tool("custom");
    expect(await permissionHook([])(call, {}, silent, signal)).toEqual({
      block: '"custom" needs approval, but no approver is present',
    });
    expect(await permissionHook([])(call, "a", tool("read"), signal)).toBeUndefined();
  });
});

describe("rules", () => {
  test("later ones win", async () => {
    const rules: PermissionRule[] = [
      { tool: "write", action: "deny" },
      { tool: "write", pattern: "src/*", action: "allow" },
      { tool: "w*", pattern: "src/*.lock", action: "deny" },
    ];
    expect(await verdict(rules, write, "docs/a.md")).toBe("deny");
    expect(await verdict(rules, write, "src/deep/a (1).ts")).toBe("allow");
    expect(await verdict(rules, write, "src/a.lock")).toBe("deny");
  });

  test("a path that climbs is not allowed by a pattern", async () => {
    const rules: PermissionRule[] = [{ tool: "write", pattern: "src/*", action: "allow" }];
    for (const path of ["src/../secret", "src/..", "src/a\\..\\..\\b"]) {
      expect(await verdict(rules, write, path)).toBe("asked");
    }
    expect(await verdict(rules, write, "src/..a/b")).toBe("allow");
  });

  test("a denial says so", async () => {
    const hook = permissionHook([{ tool: "exec", action: "deny" }]);
    expect(await hook(call, "ls", exec, signal)).toEqual({
      block: 'the rules do not allow "exec" with "ls"',
    });
  });

  test("a pattern with many stars takes no time", async () => {
    const rules: PermissionRule[] = [{ tool: "exec", pattern: `${"*a".repeat(50)}*b`, action: "allow" }];
    expect(await verdict(rules, exec, "a".repeat(100_000))).toBe("asked");
  });
});

describe("commands", () => {
  const git: PermissionRule[] = [{ tool: "exec", pattern: "git status*", action: "allow" }];

  test.each(["git status", "git status --short", "  git   status -- 'a b' \"c\" *.ts", "git status é/漢字"])(
    "%j is allowed by its beginning",
    async (command) => {
      expect(await verdict(git, exec, command)).toBe("allow");
    },
  );

  test.each([
    "git status; rm -rf /",
    "git status && rm -rf /",
    "git status & rm -rf /",
    "git status || rm",
    "git status | sh",
    "git status\nrm -rf /",
    "git status\rrm -rf /",
    "git status $(rm -rf /)",
    "git status `rm -rf /`",
    'git status "$(rm)"',
    "git status <(rm)",
    "git status > ~/.bashrc",
    "git status $HOME",
    "git status \\\nrm",
    "git status {a,b}",
    "git status \u2028 rm",
    "git status \0 rm",
    "rm -rf / # git status",
    "/tmp/git status",
  ])("%j is asked for", async (command) => {
    expect(await verdict(git, exec, command)).toBe("asked");
  });

  const guarded: PermissionRule[] = [
    { tool: "exec", action: "allow" },
    { tool: "exec", pattern: "rm *", action: "deny" },
  ];

  test.each([
    ["ls -l", "allow"],
    ["rm -rf /", "deny"],
    ["  rm\t-rf /", "deny"],
    ["cd / && rm -rf .", "deny"],
    ["echo $(rm -rf .)", "deny"],
    ["echo a; ls", "asked"],
    ["r''m -rf /", "asked"],
    ["r\\m -rf /", "asked"],
    ["$RM -rf /", "asked"],
    ["/usr/bin/rm x", "deny"],
    ["../bin/rm x", "deny"],
    ["X=1 rm x", "deny"],
    ["X=1 Y= /bin/rm x", "deny"],
    ["cd /; X=1 rm x", "deny"],
    ["env rm x", "asked"],
    ["env X=1 /bin/rm x", "asked"],
    ["sudo -u root rm x", "asked"],
    ["timeout 5 rm x", "asked"],
    ["nice -n 5 /bin/rm x", "asked"],
    ["busybox rm x", "asked"],
    ["xargs rm x", "asked"],
    ["find . -name x -exec rm y +", "asked"],
    ["find . -exec /bin/rm {} ;", "asked"],
    [`echo ${"a ".repeat(10_000)}`, "asked"],
    ["tar xf a.tar --to-command=rm x", "asked"],
    ["rmdir x", "allow"],
    ["git log --format=rm", "allow"],
  ])("where everything but one is allowed, %j: %s", async (command, expected) => {
    expect(await verdict(guarded, exec, command)).toBe(expected);
  });

  test.each([
    ["cat docs/*", "cat docs/a.md", "allow"],
    ["cat docs/*", "cat docs/../../etc/passwd", "asked"],
    ["cat docs/*", 'cat docs/a ".."', "asked"],
    ["cat docs/*", "cat docs/..a", "allow"],
    ["ls ../*", "ls ../docs", "allow"],
    ["find *", "find . -name x", "allow"],
    ["find *", "find . -exec touch x +", "asked"],
    ["find *", "find . -delete", "asked"],
    ["find * -delete", "find tmp -delete", "allow"],
    ["tar *", "tar xf a.tar --checkpoint-action=exec=sh", "asked"],
    ["git log*", "git log --output=/home/me/.bashrc", "asked"],
    ["git log*", "git log --oneline", "allow"],
    ["find *", 'find . -d"elete"', "asked"],
    ["find *", "find . -name a -o -not -name b", "allow"],
    ["find * '-delete'", "find tmp '-delete'", "allow"],
    ["git log*", "git log --out''put=/home/me/.bashrc", "asked"],
    ["git log*", "git log --outp=/home/me/.bashrc", "asked"],
    ["tar *", "tar xf a.tar --to-comm=sh", "asked"],
    ["tar *", "tar -xI sh -f a.tar", "asked"],
    ["git grep*", "git grep -Osh x", "asked"],
    ["git grep*", "git grep -n --heading x", "allow"],
    ["sort *", "sort a -uo b", "asked"],
    ["sort -o *", "sort -o b a", "allow"],
    ["cat docs/*", 'cat docs/."."/a', "asked"],
    ["cat docs/*", "cat docs/.?/a", "asked"],
    ["cat docs/*", "cat docs/.[.]/a", "asked"],
    ["cat docs/*", "cat docs/.*/a", "asked"],
    ["cat docs/*", "cat docs/a* docs/.git*", "allow"],
    ["tar *", "tar cf a.tar --exclude-from a,../b", "asked"],
    ["/usr/bin/sort *", "/usr/bin/sort a -ob", "asked"],
    ["tar *", "tar cfF a.tar b", "asked"],
    ["tar *", "tar cf a.tar -F b", "asked"],
    ["rsync *", "rsync -ae sh a b", "asked"],
    ["curl *", "curl -so b a", "asked"],
    ["curl *", "curl -sO a", "asked"],
    ["curl *", "curl -K a", "asked"],
    ["wget *", "wget -qO b a", "asked"],
    ["wget *", "wget -P b a", "asked"],
    ["wget *", "wget -q a", "allow"],
  ])("with %j allowed, %j: %s", async (pattern, command, expected) => {
    expect(await verdict([{ tool: "exec", pattern, action: "allow" }], exec, command)).toBe(expected);
  });

  test.each([
    ...["-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"],
    ...["--checkpoint-action", "--to-command", "--use-compress-program", "--compress-program", "--exec"],
    ...["--output", "--ext-diff", "--open-files-in-pager", "--upload-pack", "--receive-pack", "--pager"],
    ...["--config-env", "--init-command", "--eval", "--rsh"],
  ])("a star does not stand for %s", async (option) => {
    const rules: PermissionRule[] = [{ tool: "exec", pattern: "program *", action: "allow" }];
    expect(await verdict(rules, exec, `program a ${option} b`)).toBe("asked");
    expect(await verdict(rules, exec, `program a ${option}=b`)).toBe("asked");
  });

  test.each(asked)("with %j allowed, %j runs something else, and is asked for", async (pattern, command) => {
    expect(await verdict([{ tool: "exec", pattern, action: "allow" }], exec, command)).toBe("asked");
  });

  test.each(asked.map(([, command]) => command).filter((command) => !command.includes("*")))(
    "%j is allowed by a rule that names all of it",
    async (command) => {
      expect(await verdict([{ tool: "exec", pattern: command, action: "allow" }], exec, command)).toBe(
        "allow",
      );
    },
  );

  test.each(harmless)("with %j allowed, %j is", async (pattern, command) => {
    expect(await verdict([{ tool: "exec", pattern, action: "allow" }], exec, command)).toBe("allow");
  });

  test("a command of 10,000 characters is taken apart, and a longer one is asked for", async () => {
    expect(await verdict(guarded, exec, "a".repeat(10_000))).toBe("allow");
    expect(await verdict(guarded, exec, "a".repeat(10_001))).toBe("asked");
  });

  test("a command of many words is judged in a moment", async () => {
    const began = performance.now();
    expect(await verdict(guarded, exec, "a ".repeat(4999))).toBe("allow");
    expect(performance.now() - began).toBeLessThan(500);
  });

  test("doubt never loosens a denial", async () => {
    const rules: PermissionRule[] = [
      { tool: "exec", action: "deny" },
      { tool: "exec", pattern: "rm *", action: "ask" },
    ];
    expect(await verdict(rules, exec, "a; b")).toBe("deny");
  });
});

describe("asking", () => {
  test("for the session: the same call is not asked again, another is", async () => {
    const asked: (string | undefined)[] = [];
    const hook = permissionHook([], async ({ subject }) => {
      asked.push(subject);
      return "session";
    });
    for (const command of ["make", "make", "make clean"]) {
      expect(await hook(call, command, exec, signal)).toBeUndefined();
    }
    expect(asked).toEqual(["make", "make clean"]);
  });

  test("never: the model is told, and the next call is asked for", async () => {
    let asked = 0;
    const hook = permissionHook([], async () => (++asked === 1 ? "never" : "once"));
    expect(await hook(call, "make", exec, signal)).toEqual({
      block: 'the user did not allow "exec" with "make"',
    });
    expect(await hook(call, "make", exec, signal)).toBeUndefined();
    expect(await hook(call, "make", exec, signal)).toBeUndefined();
    expect(asked).toBe(3);
  });
});
