/** Which sessions refer to a blob, and as what kind of file. */
export const BLOBS = `
create table blob_use (
  session text collate "C" not null,
  hash text collate "C" not null,
  extension text collate "C" not null,
  agent text not null,
  primary key (session, hash, extension)
);
`;
