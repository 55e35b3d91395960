/** The page's style sheet, in the colours of the web app. Printed pages are always light. */
export const STYLE = `
:root {
  color-scheme: light;
  --paper: #fbfaf8;
  --surface: #ffffff;
  --line: #e4e0d9;
  --ink: #1f1e1b;
  --soft: #5c5850;
  --faint: #716c63;
  --bubble: #f0ece4;
  --code: #f8f6f2;
  --inline: #eae8e5;
  --accent: #0b7a6b;
  --accent-strong: #086457;
  --bad: #b3261e;
  --bad-wash: #fcecea;
  --sans: "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SFMono-Regular", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    color-scheme: dark;
    --paper: #16171a;
    --surface: #1d1f23;
    --line: #2e3137;
    --ink: #ececea;
    --soft: #b1b0ab;
    --faint: #93928d;
    --bubble: #282b30;
    --code: #121316;
    --inline: #33353a;
    --accent: #4cc3ae;
    --accent-strong: #6fd6c3;
    --bad: #f28b82;
    --bad-wash: #3a1f1d;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.96875rem/1.62 var(--sans); }
main { max-width: 50rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1, h2, p, figure { margin: 0; }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 0.84375rem; line-height: 1.5; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
main > h1, .session { padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 1rem; margin-top: 0.5rem; }
.facts, time, .label, .note, figcaption { color: var(--faint); font-size: 0.84375rem; }
article { margin-top: 1.75rem; }
article > header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; margin-bottom: 0.375rem; }
article > * + * { margin-top: 0.625rem; }
article > header + * { margin-top: 0; }
time { font-size: 0.75rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.facts time { font-size: inherit; }
.who { margin-left: 0.375rem; color: var(--faint); font-weight: 400; }
.user, .error { --faint: var(--soft); --accent: var(--accent-strong); padding: 0.875rem 1.125rem; border-radius: 1rem; background: var(--bubble); }
.assistant h2 { color: var(--accent); }
.system, .aside { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.result { margin-top: 0.875rem; }
.error { background: var(--bad-wash); }
.error h2, .bad { color: var(--bad); }
h2 .bad { margin-left: 0.375rem; font-weight: 600; }
.failed > .code { border-color: var(--bad); }
h2 b, .label b { margin: 0 0.25rem; color: var(--ink); font-family: var(--mono); font-size: 0.92em; }
.result h2 { color: var(--faint); font-weight: 400; }
.id { color: var(--faint); font: 400 0.75rem var(--mono); overflow-wrap: anywhere; }
.who, .id, .label b, h2 b { unicode-bidi: isolate; }
.note { font-style: italic; overflow-wrap: anywhere; }
article > header + .thinking { margin-top: 0.5rem; }
.thinking { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); font-size: 0.90625rem; }
.call { padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.text, .code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.gap { overflow: hidden; font-size: 0.625rem; line-height: 1.1; white-space: pre; }
.gap, .gap + * { margin-top: 0; }
.text + .code, .code + .text, .label + * { margin-top: 0.375rem; }
.code { max-height: 26rem; overflow: auto; padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--code); font: 0.8125rem/1.55 var(--mono); }
.call .code { padding: 0; border: 0; border-radius: 0; background: none; }
.mark { color: var(--faint); font-weight: 400; }
.text .mark { color: var(--soft); }
.heading { font-weight: 650; }
.math { font: 0.88em var(--mono); }
.text code { padding: 0.1em 0.3em; border-radius: 0.3em; background: var(--inline); font: 0.88em var(--mono); }
img { display: block; max-width: 100%; max-height: 32rem; border: 1px solid var(--line); border-radius: 0.625rem; }
audio { display: block; width: 100%; }
figcaption { margin-top: 0.25rem; overflow-wrap: anywhere; }
.empty { margin-top: 1.75rem; color: var(--faint); }
@media print {
  :root { --paper: #fff; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .code { max-height: none; overflow: visible; font-size: 8.5pt; }
  .user, .error, .code, .call, .text code { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  article > header, .label { break-after: avoid; }
  figure { break-inside: avoid; }
  .text { orphans: 3; widows: 3; }
  a { color: inherit; }
}
`;
