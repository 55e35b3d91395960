#!/bin/bash
# Runs once, when the primary's data is created.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "alter user dragoman replication"
# From the next start on: while the data is created, there is no standby that could confirm a commit.
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --command "alter system set synchronous_standby_names = 'standby'"
echo "host replication dragoman all scram-sha-256" >> "$PGDATA/pg_hba.conf"
