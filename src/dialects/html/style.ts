/** The page's style sheet, in the colours of the web app. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfaf8, #16171a);
  --surface: light-dark(#ffffff, #1d1f23);
  --line: light-dark(#e4e0d9, #2e3137);
  --ink: light-dark(#1f1e1b, #ececea);
  --soft: light-dark(#5c5850, #b1b0ab);
  --faint: light-dark(#716c63, #93928d);
  --bubble: light-dark(#f0ece4, #282b30);
  --code: light-dark(#f8f6f2, #121316);
  --accent: light-dark(#0b7a6b, #4cc3ae);
  --warn: light-dark(#8a5a00, #e2b04e);
  --bad: light-dark(#b3261e, #f28b82);
  --bad-wash: light-dark(#fcecea, #3a1f1d);
  --sans: "Inter", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SFMono-Regular", "JetBrains Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
*, *::before, *::after { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.96875rem/1.62 var(--sans); }
main { max-width: 50rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1, h2, p, figure { margin: 0; }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 0.84375rem; line-height: 1.4; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.15em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.session { padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); }
.facts { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin-top: 0.5rem; }
.facts, time, .label, .note, figcaption { color: var(--faint); font-size: 0.84375rem; }
article { margin-top: 1.75rem; }
article > header { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 1rem; margin-bottom: 0.375rem; }
article > * + * { margin-top: 0.625rem; }
article > header + * { margin-top: 0; }
time { font-variant-numeric: tabular-nums; white-space: nowrap; }
.who { margin-left: 0.375rem; color: var(--faint); font-weight: 400; }
.user { padding: 0.875rem 1.125rem; border-radius: 1rem; background: var(--bubble); }
.assistant h2 { color: var(--accent); }
.system, .aside { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); }
.result { margin-top: 0.875rem; padding-left: 1rem; border-left: 3px solid var(--line); }
.error, .failed { padding-left: 1rem; border-left: 3px solid var(--bad); }
.error h2, .bad { color: var(--bad); }
.bad { font-weight: 600; }
.label b { color: var(--ink); font-family: var(--mono); font-size: 0.92em; }
.id { font-family: var(--mono); font-size: 0.75rem; color: var(--faint); overflow-wrap: anywhere; }
.who, .id, .label b { unicode-bidi: isolate; }
.note { font-style: italic; overflow-wrap: anywhere; }
.thinking { padding-left: 1rem; border-left: 3px solid var(--line); color: var(--soft); font-size: 0.90625rem; }
.call { padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--surface); }
.text, .code { white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.text + .code, .code + .text, .text + .text, .label + * { margin-top: 0.375rem; }
.code { max-height: 26rem; overflow: auto; padding: 0.625rem 0.875rem; border: 1px solid var(--line); border-radius: 0.625rem; background: var(--code); font: 0.8125rem/1.55 var(--mono); }
.call .code { padding: 0; border: 0; background: none; }
.heading { font-weight: 650; }
.text code { padding: 0.1em 0.3em; border-radius: 0.3em; background: color-mix(in srgb, var(--ink) 8%, transparent); font: 0.88em var(--mono); }
img { display: block; max-width: 100%; max-height: 32rem; border: 1px solid var(--line); border-radius: 0.625rem; }
audio { display: block; width: 100%; }
figcaption { margin-top: 0.25rem; overflow-wrap: anywhere; }
.empty { color: var(--faint); }
@media print {
  :root { color-scheme: light; --paper: #fff; --bubble: #f4f1eb; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  .code { max-height: none; overflow: visible; font-size: 8.5pt; }
  .user, .code, .call { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  article > header, .label { break-after: avoid; }
  figure, .call > .label { break-inside: avoid; }
  a { color: inherit; }
}
`;
