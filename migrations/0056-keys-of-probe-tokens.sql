-- The key that a token signs in to NATS with, so that it can be revoked when the token is used. Null for tokens that an
-- older version created; they expire within a day.
alter table probe_tokens add column public_key text unique;
