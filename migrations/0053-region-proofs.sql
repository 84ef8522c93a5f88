-- Which regions have seen a monitor's target work: only these decide about it. A row is written when something about it
-- changes, and otherwise about once a day.
create table region_proofs (
  org_id uuid not null,
  monitor_no bigint not null,
  region smallint not null references regions (no) on delete cascade,
  -- The last OK of this region, by any kind of check.
  passed_at timestamptz,
  -- The last OK of this region that counted for the monitor.
  decided_at timestamptz,
  -- When the region tried the target last, without counting.
  tried_at timestamptz,
  -- Since when it fails while another region passes; null again with its next OK.
  lost_at timestamptz,
  -- Where it last reached the target.
  address text check (char_length(address) <= 64),
  port integer check (port between 1 and 65535),
  is_private boolean not null default false,
  primary key (monitor_no, region)
);
-- For the public addresses by which a region tells whether its own network works.
create index region_proofs_public on region_proofs (region, org_id)
  where passed_at is not null and port is not null and not is_private;
call protect_tenant_table('region_proofs');

-- Monitors that work are proven for the regions in which they did, as far as their latest results tell. Packed days are
-- not opened: a region that has not checked since then proves itself by trying.
insert into region_proofs (org_id, monitor_no, region, passed_at, decided_at)
select s.org_id, s.monitor_no, r.region, max(r.slot), max(r.slot)
  from monitor_states s
 cross join lateral (select region, slot, verdict from results
                      where monitor_no = s.monitor_no order by slot desc limit 1000) r
 where s.state in ('UP', 'DEGRADED') and r.verdict in (0, 1) and r.region is not null
 group by s.org_id, s.monitor_no, r.region;
insert into region_proofs (org_id, monitor_no, region, passed_at, decided_at)
select s.org_id, s.monitor_no, s.samples_region, s.last_checked_at, s.last_checked_at
  from monitor_states s
 where s.state in ('UP', 'DEGRADED') and s.samples_region is not null and s.last_checked_at is not null
on conflict do nothing;
