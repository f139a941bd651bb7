#!/bin/sh
# Run once by PostgreSQL's image when its volume is empty: the two login roles and the database.
set -eu
psql --set=ON_ERROR_STOP=1 --set=owner="$OWNER_PASSWORD" --set=login="$LOGIN_PASSWORD" \
  --username="${POSTGRES_USER:-postgres}" <<'SQL'
CREATE ROLE jobtrail_owner LOGIN CREATEROLE PASSWORD :'owner';
CREATE ROLE jobtrail LOGIN NOINHERIT PASSWORD :'login';
CREATE ROLE jobtrail_app NOLOGIN;
CREATE ROLE jobtrail_fleet NOLOGIN;
GRANT jobtrail_app, jobtrail_fleet TO jobtrail;
CREATE DATABASE jobtrail OWNER jobtrail_owner;
SQL
