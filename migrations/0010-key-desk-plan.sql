-- The key desk's statement meets a handful of hashes, and every table it touches by an index. Left alone, the
-- planner weighs a plan for a hundred hashes against a fresh one at each call, and plans anew at each call.

alter function authenticate_keys(bytea[], integer, integer) set plan_cache_mode = force_generic_plan;
alter function authenticate_keys(bytea[], integer, integer) set enable_seqscan = off;
alter function authenticate_keys(bytea[], integer, integer) set enable_hashjoin = off;
alter function authenticate_keys(bytea[], integer, integer) set enable_mergejoin = off;
