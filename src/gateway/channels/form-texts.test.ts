import { expect, test } from "vitest";
import type { Question } from "../../core/types.js";
import { formText, howToFill, readForm } from "./form-texts.js";

const colour: Question = {
  server: "shop",
  message: "Which colour?",
  fields: [{ name: "colour", title: "Colour", type: "text", required: true }],
};

const seats: Question = {
  server: "travel",
  message: "How many?",
  fields: [
    { name: "seats", title: "Seats", type: "integer", required: true },
    {
      name: "class",
      title: "Class",
      description: "of the train",
      type: "choice",
      options: [
        { value: "1", title: "First" },
        { value: "2", title: "Second" },
      ],
      required: false,
      default: "2",
    },
    { name: "note", title: "Note", type: "text", required: false },
  ],
};

test("a form is shown with what each field accepts", () => {
  expect(formText(seats)).toBe(
    "How many?\n\nSeats: a whole number\nClass: one of First, Second (default: 2) – of the train\nNote: a text (optional)",
  );
  expect(howToFill(colour)).toBe(
    'Reply to this message with the value, or with "decline". Don\'t send passwords or keys.',
  );
  expect(howToFill(seats)).toBe(
    'Reply to this message with a line for each field, its name and its value with a colon between, or with "decline". ' +
      "Don't send passwords or keys.",
  );
});

test.each([
  [colour, "No", { answer: "once", values: { colour: "No" } }],
  [colour, " Decline ", { answer: "never", values: {} }],
  [seats, "seats: 2\nCLASS: First", { answer: "once", values: { seats: 2, class: "1" } }],
  [
    seats,
    "Note: by the\nwindow: left\nseats: 1",
    { answer: "once", values: { note: "by the\nwindow: left", seats: 1 } },
  ],
])("%j, answered with %j", (question, text, expected) => {
  expect(readForm(question, text)).toEqual(expected);
});

test.each([
  ["seats: two", 'Seats: expected a whole number. Reply to the question again, or with "decline".'],
  ["2", 'I don\'t know which field this is for. Reply to the question again, or with "decline".'],
])("%j does not fit", (text, problem) => {
  expect(() => readForm(seats, text)).toThrow(problem);
});
