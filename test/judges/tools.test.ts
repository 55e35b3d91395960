import { expect, test } from "vitest";
import type { OfferedTool } from "../fakes/strict/script.js";
import { answerWith, callFor } from "./tools.js";

function tool(name: string, properties: Record<string, object>, required: string[] = []): OfferedTool {
  return { name, parameters: { type: "object", properties, required } };
}

const text = { type: "string" };
const reader = tool("Read", { file_path: text, limit: { type: "number" } }, ["file_path"]);
const writer = tool("Write", { file_path: text, content: text }, ["file_path", "content"]);
const shell = tool("run_shell", { command: text, description: text }, ["command", "description"]);

test("a file is read and written with the tools for it", () => {
  const tools = [shell, writer, reader];
  expect(callFor({ type: "read", path: "/a" }, tools)).toEqual({
    name: "Read",
    arguments: { file_path: "/a" },
  });
  expect(callFor({ type: "write", path: "/a", content: "x" }, tools)).toEqual({
    name: "Write",
    arguments: { file_path: "/a", content: "x" },
  });
});

test("a shell does what no other tool can, with all that it requires", () => {
  expect(callFor({ type: "read", path: "/a" }, [shell])).toEqual({
    name: "run_shell",
    arguments: { command: "cat '/a'", description: "judge" },
  });
});

test("a shell whose command is a list gets a list", () => {
  const list = tool("shell", { command: { type: "array", items: text } });
  expect(callFor({ type: "run", command: "ls" }, [list])).toEqual({
    name: "shell",
    arguments: { command: ["bash", "-c", "ls"] },
  });
});

test("a custom tool gets a patch as its one text, and keeps its namespace", () => {
  const patch = "*** Begin Patch\n*** Add File: /a\n+x\n*** End Patch\n";
  expect(
    callFor({ type: "write", path: "/a", content: "x" }, [{ name: "apply_patch", namespace: "edit" }]),
  ).toEqual({
    name: "apply_patch",
    namespace: "edit",
    arguments: patch,
  });
  const asFunction = tool("apply_patch", { input: text }, ["input"]);
  expect(callFor({ type: "write", path: "/a", content: "x" }, [asFunction])).toEqual({
    name: "apply_patch",
    arguments: { input: patch },
  });
});

test("without a tool that fits, the tools are listed", () => {
  expect(() => callFor({ type: "run", command: "ls" }, [reader])).toThrow("no tool can run: Read");
});

test("a side job is answered in the form that it asks for", () => {
  const schema = { properties: { title: { type: "string" }, done: { type: "boolean" } } };
  expect(answerWith("A note", schema)).toBe('{"title":"A note","done":false}');
});
