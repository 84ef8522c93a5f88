-- The queue of deliveries. An attempt without an outcome is a request in flight: it names its endpoint, so that
-- a claim can count what is in flight, and the instant after which whoever made it is taken for lost.
-- Adding columns without a default rewrites nothing; the indexes hold only what is in flight or asked for.

alter table attempts add column endpoint_id uuid;
alter table attempts add column claimed_until timestamptz;
create index attempts_in_flight on attempts (org_id, endpoint_id) where outcome is null;

-- What a person asked for is sent past everything that waits, also to an endpoint that is disabled.
create index deliveries_asked_for on deliveries (endpoint_id, next_attempt_at) where status = 'PENDING' and manual;

-- Its health is written with every batch of attempts.
alter table webhook_endpoints set (fillfactor = 50);
