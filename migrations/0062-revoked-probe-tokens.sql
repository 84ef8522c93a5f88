-- A token that floods the installation with requests is revoked before it is used. The version before refuses it
-- nothing: NATS does.
alter table probe_tokens add column revoked_at timestamptz;
