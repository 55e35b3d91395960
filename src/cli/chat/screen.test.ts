import { expect, test } from "vitest";
import { TerminalScreen } from "../../../test/support/cli/terminal-screen.js";
import { Screen } from "./screen.js";

function open(columns: number, rows: number) {
  const seen = new TerminalScreen(columns, rows);
  const screen = new Screen({ columns, rows, write: (text) => seen.write(text.replaceAll("\n", "\r\n")) });
  return { seen, screen };
}

const prompt = (text: string) => ({ lines: ["", `> ${text}`], cursor: { row: 1, column: 2 + text.length } });

test("text scrolls by above what is at the bottom, also text whose line has no end yet", () => {
  const { seen, screen } = open(20, 6);
  screen.show(prompt("dr"));
  screen.draw();
  for (const piece of ["one", " two\nthr", "ee\n", "four"]) {
    screen.write(piece);
    screen.draw();
  }
  expect(seen.text()).toBe("one two\nthree\nfour\n\n> dr");
  expect(seen.cursor).toEqual({ line: 4, column: 4 });
  screen.end();
  expect(seen.text()).toBe("one two\nthree\nfour\n");
});

test.each([19, 20, 21, 40, 41])("an unfinished line of %i columns is drawn again where it was", (length) => {
  const { seen, screen } = open(20, 12);
  screen.write("begin\n");
  for (let column = 0; column < length; column++) {
    screen.write("x");
    screen.show(prompt("a"));
    screen.draw();
  }
  expect(seen.text().replaceAll("\n", "|")).toBe(
    `begin|${"x"
      .repeat(length)
      .match(/.{1,20}/g)
      ?.join("|")}||> a`,
  );
});

test("what is taller than the terminal is not drawn again", () => {
  const { seen, screen } = open(10, 6);
  screen.show(prompt(""));
  screen.write("y".repeat(100));
  screen.draw();
  screen.write("z");
  screen.draw();
  expect(seen.text()).toBe(`${Array(10).fill("y".repeat(10)).join("\n")}\nz\n\n>`);
});

test("the cursor goes to any row of the bottom and back", () => {
  const { seen, screen } = open(20, 8);
  screen.show({ lines: ["", "> one", "  two"], cursor: { row: 1, column: 3 } });
  screen.draw();
  expect(seen.cursor).toEqual({ line: 1, column: 3 });
  screen.write("text\n");
  screen.draw();
  expect(seen.text()).toBe("text\n\n> one\n  two");
});

test("what arrives after the end is not shown", () => {
  const { seen, screen } = open(20, 6);
  screen.write("one\n");
  screen.show(prompt("dr"));
  screen.end();
  screen.show(prompt("late"));
  screen.draw();
  expect(seen.text().trimEnd()).toBe("one");
});
