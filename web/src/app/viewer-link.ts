/** Opens a session in the viewer, in a new tab. The tab gets a copy of this one's `sessionStorage`, and so its token. */
export function openInViewer(id: string): void {
  open(`/view#session=${encodeURIComponent(id)}`, "_blank");
}
