import { expect, test } from "vitest";
import { clientTools } from "./client-tools.js";

test("every tool of a client is a function, wherever it stands", () => {
  const body = clientTools.asFunctions({
    model: "m",
    tool_choice: { type: "custom", name: "patch" },
    tools: [
      {
        type: "custom",
        name: "patch",
        description: "Patches.",
        format: { type: "grammar", syntax: "lark", definition: "start: /x/" },
      },
      { type: "web_search" },
    ],
    input: [
      {
        type: "additional_tools",
        role: "developer",
        tools: [
          {
            type: "namespace",
            name: "mcp__crm__",
            description: "Customers.",
            tools: [
              { type: "function", name: "find", description: "Finds.", parameters: { type: "object" } },
            ],
          },
        ],
      },
      { type: "function_call", call_id: "c1", namespace: "crm", name: "find", arguments: "{}" },
      { type: "local_shell_call", call_id: "c2", action: { type: "exec", command: ["ls"], env: {} } },
      { type: "local_shell_call_output", id: "c2", output: "a.txt" },
    ],
  });
  const input = { type: "string", description: "The whole input of the tool, as plain text." };
  expect(body).toEqual({
    model: "m",
    tool_choice: { type: "function", name: "patch" },
    tools: [
      {
        type: "function",
        name: "patch",
        description: "Patches.\n\nThe input follows this lark grammar:\nstart: /x/",
        parameters: {
          type: "object",
          properties: { input },
          required: ["input"],
          additionalProperties: false,
        },
        strict: false,
      },
      { type: "web_search" },
      {
        type: "function",
        name: "mcp__crm__find",
        description: "Finds.\n\nmcp__crm__: Customers.",
        parameters: { type: "object" },
      },
    ],
    input: [
      { type: "function_call", call_id: "c1", name: "crm__find", arguments: "{}" },
      {
        type: "function_call",
        call_id: "c2",
        name: "local_shell",
        arguments: '{"command":["ls"],"env":{}}',
      },
      { type: "function_call_output", call_id: "c2", output: "a.txt" },
    ],
  });
});

test("a request of functions only has no calls of its own form", () => {
  expect(clientTools.ownCalls?.({ tools: [{ type: "function", name: "f" }] })).toBeUndefined();
});
