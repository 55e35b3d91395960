import { expect, test } from "vitest";
import type { Question } from "../../core/types.js";
import { Form } from "./form.js";

const paint = (_: string, text: string) => text;

const question: Question = {
  server: "s",
  message: "Book it?",
  fields: [
    { name: "seats", title: "Seats", type: "integer", required: true },
    { name: "window", title: "Window", type: "boolean", required: false },
    {
      name: "class",
      title: "Class",
      type: "choice",
      required: true,
      default: "2",
      options: [
        { value: "1", title: "First" },
        { value: "2", title: "Second" },
      ],
    },
  ],
};

test("asks for each field, repeats what does not fit, and skips what may be left out", () => {
  const form = new Form(question, paint);
  expect(form.lines).toEqual(["? s asks: Book it?", "  Do not enter passwords or keys."]);
  expect(form.hint).toBe("y answer · n decline · then Enter");
  expect(form.accept("y")).toEqual({ lines: ["  Seats (a whole number)"] });
  expect(form.accept("two")).toEqual({ lines: ["  Seats (a whole number)"] });
  expect(form.accept("2")).toEqual({ lines: ["  Window (y or n)"] });
  expect(form.hint).toBe("type a value, or press Enter to skip");
  expect(form.accept("")).toEqual({ lines: ["  Class (one of; default: 2)", "    1 First", "    2 Second"] });
  expect(form.accept("1")).toEqual({ answer: "once", values: { seats: 2, class: "1" } });
});

test("a page is shown with its host, and control characters are visible", () => {
  const form = new Form(
    { server: "s", message: "\u001b[2JLog in", fields: [], url: "https://good.com@evil.com/x" },
    paint,
  );
  expect(form.lines).toEqual([
    "? s asks: \\u{1b}[2JLog in",
    "  page on evil.com: https://good.com@evil.com/x",
  ]);
  expect(form.accept("n")).toEqual({ answer: "never", values: {} });
});
