/** The viewer's address for a session: of the gateway's home, or of another program. */
function viewerAddress(id: string, source?: string): string {
  const from = source === undefined ? "" : `&source=${encodeURIComponent(source)}`;
  return `/view#session=${encodeURIComponent(id)}${from}`;
}

/** Opens a session in the viewer, in a new tab. The tab gets a copy of this one's `sessionStorage`, and so its token. */
export function openInViewer(id: string, source?: string): void {
  open(viewerAddress(id, source), "_blank");
}
