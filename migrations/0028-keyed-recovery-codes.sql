-- Recovery codes are short: without a key their hashes can be searched through. Those that exist are hashed once more,
-- with the key of people's secrets, when the service starts.
alter table recovery_codes add column keyed boolean not null default false;
create index recovery_codes_bare on recovery_codes (user_id) where not keyed;
