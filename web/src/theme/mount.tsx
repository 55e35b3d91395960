import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyScheme } from "./colour-scheme.js";
import "./theme.css";

/** Renders a page's root component into `#root`. */
export function mount(page: ReactNode): void {
  const root = document.getElementById("root");
  if (root === null) throw new Error("the page has no #root element");
  applyScheme();
  createRoot(root).render(<StrictMode>{page}</StrictMode>);
}
