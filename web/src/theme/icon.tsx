/** Paths on a 20 by 20 grid, stroke width 1.5. */
const paths = {
  add: "M10 4v12M4 10h12",
  archive: "M3 5h14v3H3zM4.5 8v8h11V8M8 11h4",
  arrow: "M10 16V4M5 9l5-5 5 5",
  attach: "M14.5 9.5 9 15a3.2 3.2 0 0 1-4.5-4.5l6-6a2.2 2.2 0 0 1 3 3l-6 6a1 1 0 0 1-1.5-1.5l5.2-5.2",
  chart: "M4 16V9M8.5 16V4M13 16v-5M17 16H3",
  check: "M4 10.5 8 14.5 16 6",
  chevron: "M6 8l4 4 4-4",
  close: "M5 5l10 10M15 5 5 15",
  copy: "M7 7h9v9H7zM4 13V4h9",
  edit: "M4 16l.8-3.4L13 4.4a1.6 1.6 0 0 1 2.4 2.4l-8.2 8.2zM11.5 6l2.5 2.5",
  export: "M10 12V3M6.5 6.5 10 3l3.5 3.5M4 12v4.5h12V12",
  fork: "M6 3v6a4 4 0 0 0 4 4h0a4 4 0 0 0 4-4V3M10 13v4",
  forkTo: "M5 3v5a4 4 0 0 0 4 4h0a4 4 0 0 0 4-4V3M9 12v5M13.5 15h4M15.5 13v4",
  help: "M7.5 7.5a2.5 2.5 0 1 1 3.6 2.2c-.8.5-1.1.9-1.1 1.8M10 14.5v.1",
  list: "M7 5h10M7 10h10M7 15h10M3.5 5v.01M3.5 10v.01M3.5 15v.01",
  menu: "M3 6h14M3 10h14M3 14h14",
  more: "M5 10v.01M10 10v.01M15 10v.01",
  retry: "M15.5 8A6 6 0 1 0 16 11M16 4v4h-4",
  print: "M6 8V3h8v5M6 14H3V8h14v6h-3M6 12h8v5H6z",
  search: "M9 4a5 5 0 1 1 0 10A5 5 0 0 1 9 4zM13 13l4 4",
  send: "M3 10h11M10 5.5 14.5 10 10 14.5M17 4v12",
  settings: "M3 6h8M15 6h2M13 4v4M3 14h2M9 14h8M7 12v4",
  share:
    "M14 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM14 17a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7.8 9l4.4-3M7.8 11l4.4 3",
  shield: "M10 3l6 2v5c0 3.5-2.6 6-6 7-3.4-1-6-3.5-6-7V5z",
  theme: "M10 3a7 7 0 1 0 0 14zM10 3a7 7 0 0 1 0 14",
  view: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 8a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  stop: "M6 6h8v8H6z",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      width="20"
      height="20"
      fill={name === "stop" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.4 : 1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  );
}
