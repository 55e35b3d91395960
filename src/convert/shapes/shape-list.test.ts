import { expect, test } from "vitest";
import { formatShapes, parseShapes } from "./shape-list.js";

const list = `<>:
<user>: cwd, isMeta boolean, message object, parentUuid null|string
<user>.message.content[]<tool_result>: a_first_field_with_a_long_name, another_field_with_a_long_name number,
  is_error boolean, tool_use_id
`;

test("a list is parsed: a field without a type is a string, an indented line continues the line before it", () => {
  expect(parseShapes(list)).toEqual(
    new Map([
      ["<>", new Map()],
      [
        "<user>",
        new Map([
          ["cwd", new Set(["string"])],
          ["isMeta", new Set(["boolean"])],
          ["message", new Set(["object"])],
          ["parentUuid", new Set(["null", "string"])],
        ]),
      ],
      [
        "<user>.message.content[]<tool_result>",
        new Map([
          ["a_first_field_with_a_long_name", new Set(["string"])],
          ["another_field_with_a_long_name", new Set(["number"])],
          ["is_error", new Set(["boolean"])],
          ["tool_use_id", new Set(["string"])],
        ]),
      ],
    ]),
  );
});

test("a list is written sorted and wrapped", () => {
  const table = parseShapes("<b>: y, x string|null\n<a>: z");
  expect(formatShapes(table)).toBe("<a>: z\n<b>: x null|string, y\n");
  expect(formatShapes(parseShapes(list))).toBe(list);
});
