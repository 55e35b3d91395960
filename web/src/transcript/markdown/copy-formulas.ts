/**
 * Copies formulas as they were written. Browsers begin a line after each MathML element, so the selection is read while the
 * elements are not displayed. The page is not painted in between.
 */
export function copyFormulasAsSource(): void {
  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    if (event.clipboardData === null || selection === null || selection.rangeCount === 0) return;
    const copied = document.createElement("div");
    copied.append(selection.getRangeAt(0).cloneContents());
    const formulas = copied.querySelectorAll(".md-formula");
    if (formulas.length === 0) return;
    for (const formula of formulas) formula.remove();
    document.documentElement.classList.add("is-copying-formulas");
    const text = selection.toString();
    document.documentElement.classList.remove("is-copying-formulas");
    event.clipboardData.setData("text/plain", text);
    event.clipboardData.setData("text/html", copied.innerHTML);
    event.preventDefault();
  });
}
