#!/bin/bash
# Copies the primary at the first start, then follows it.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  until pg_basebackup --host primary --username dragoman --pgdata "$PGDATA" --write-recovery-conf \
    --dbname "application_name=standby" --wal-method stream; do
    sleep 1
  done
  chmod 700 "$PGDATA"
fi
exec postgres
