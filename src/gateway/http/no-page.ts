import type { HttpReply, Refusal } from "../types.js";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page · Dragoman</title>
</head>
<body>
<h1>There is no page at this address</h1>
<p><a href="/">Open Dragoman</a></p>
</body>
</html>
`;

/** For a person who opened an address that has no page. Without a token it does not reveal whether the address has anything else. */
export function noPage({ status, headers }: Refusal): HttpReply {
  return { status, headers: { ...headers, "content-type": "text/html; charset=utf-8" }, body: PAGE };
}
