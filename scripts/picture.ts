import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Draws the tour's output as docs/images/tour.svg. Run it after the tour has changed:
 * `npm run build && npx tsx scripts/picture.ts`.
 */
const root = fileURLToPath(new URL("../", import.meta.url));
const CHARACTER = 7.8;
const LINE = 18;
const MARGIN = 20;
const BAR = 30;

const colours: Record<string, string> = {
  "31": "#ff7b72",
  "32": "#7ee787",
  "33": "#e3b341",
  "36": "#79c0ff",
  "2": "#8b949e",
};

interface Run {
  text: string;
  colour: string;
  bold: boolean;
}

/** The pieces of a line with the same style, from the escape sequences between them. */
function runs(line: string): Run[] {
  let colour = "#e6edf3";
  let bold = false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return line.split(/(\u001b\[[0-9;]*m)/).flatMap((part) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
    const code = /^\u001b\[([0-9;]*)m$/.exec(part)?.[1];
    if (code === undefined) return part === "" ? [] : [{ text: part, colour, bold }];
    if (code === "1") bold = true;
    else {
      bold = bold && code !== "22";
      colour = colours[code] ?? "#e6edf3";
    }
    return [];
  });
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function drawLine(line: string, index: number): string {
  const y = BAR + MARGIN + (index + 1) * LINE - 5;
  const spans = runs(line).map(
    ({ text, colour, bold }) =>
      `<tspan fill="${colour}"${bold ? ' font-weight="bold"' : ""}>${escaped(text)}</tspan>`,
  );
  return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${spans.join("")}</text>`;
}

const printed = execFileSync(process.execPath, [`${root}dist/cli/main.js`, "tour"], {
  encoding: "utf8",
  env: { ...process.env, FORCE_COLOR: "1" },
});
const lines = printed.trimEnd().split("\n");
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const width = Math.max(...lines.map((line) => line.replace(/\u001b\[[0-9;]*m/g, "").length));
const [w, h] = [Math.ceil(width * CHARACTER + 2 * MARGIN), BAR + 2 * MARGIN + lines.length * LINE];

writeFileSync(
  `${root}docs/images/tour.svg`,
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}" role="img" aria-label="The tour of Dragoman in a terminal">`,
    `<rect width="${w}" height="${h}" rx="10" fill="#0d1117"/>`,
    ...["#ff5f57", "#febc2e", "#28c840"].map(
      (fill, index) => `<circle cx="${MARGIN + index * 20}" cy="${BAR / 2 + 4}" r="6" fill="${fill}"/>`,
    ),
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="13">`,
    ...lines.map(drawLine),
    "</g>",
    "</svg>",
    "",
  ].join("\n"),
);
