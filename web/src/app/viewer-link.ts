/** Shows a session in the viewer, in a tab of its own. One that knows its opener has the opener's storage, and so a token that is kept for one tab only. */
export function openInViewer(id: string): void {
  open(`/view#session=${encodeURIComponent(id)}`, "_blank");
}
