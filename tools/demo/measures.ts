// Response times of each monitor: hours and days of three months, and single results of the last weeks. Business hours
// are slower than nights, weekends are calm, and a few responses are much slower than the rest.
import type pg from 'pg'
import { CAUSE_CODES } from '../../src/domain/incidents/incident.ts'
import { KIND_CODE, VERDICT_CODE } from '../../src/store/history/results.ts'
import { writeRows } from '../history/whole-sets.ts'
import { type DemoMonitor, PAST_DAYS } from './past.ts'

const FUNCTIONS = `
  create function pg_temp.load_at(at timestamptz) returns double precision language sql immutable as $$
    select 0.9 + (0.5 - 0.5 * cos(2 * pi() * (extract(hour from at) + extract(minute from at) / 60 - 3) / 24))
             * case when extract(isodow from at) >= 6 then 0.25 else 0.55 end $$;
  create function pg_temp.phase(ms integer) returns integer language sql immutable as $$
    select case when ms < 16 then ms else (e + 1) * 16 + round(ms / 2.0 ^ e)::integer - 16 end
      from (select floor(log(2, greatest(ms, 16)))::integer - 4 as e) x $$;
  create temp table watched (no bigint, usual_ms integer, interval_seconds integer, is_job boolean, is_web boolean,
                             raw_days integer, hour_days integer);
  create temp table causes (monitor_no bigint, started_at timestamptz, code integer, status integer)`

// The same random numbers in each run.
const SEED = 'select setseed(0.42)'
const SLOWER = 4.2

const HOURS = `
  insert into result_hours (monitor_no, hour, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
  select w.no, h.hour, n.slots - f.failed, f.failed, 0,
         case when f.failed < n.slots then t.p50 end, case when f.failed < n.slots then t.p50 * t.wide end,
         case when f.failed < n.slots then t.p50 * t.wide * t.far end
    from watched w
    cross join lateral generate_series(date_trunc('hour', now()) - w.hour_days * interval '1 day',
                                       date_trunc('hour', now()) - interval '1 hour', interval '1 hour') h (hour)
    cross join lateral (select greatest(1, 3600 / w.interval_seconds) as slots) n
    left join lateral (
      select sum(share) filter (where state = 'DOWN') as down, sum(share) filter (where state = 'DEGRADED') as slow
        from (select s.state, extract(epoch from least(coalesce(s.ended_at, now()), h.hour + interval '1 hour')
                       - greatest(s.started_at, h.hour)) / 3600 as share
                from state_spans s
               where s.monitor_no = w.no and s.state <> 'UP' and s.started_at < h.hour + interval '1 hour'
                 and coalesce(s.ended_at, now()) > h.hour) s) bad on true
    cross join lateral (select round(n.slots * least(1, coalesce(bad.down, 0)))::integer as failed) f
    cross join lateral (
      select w.usual_ms * pg_temp.load_at(h.hour) * (0.95 + random() * 0.12)
               * (1 + ${SLOWER - 1} * coalesce(bad.slow, 0)) as p50,
             1.3 + random() * 0.35 + (random() > 0.97)::integer * 0.8 as wide, 1.2 + random() * 1.6 as far) t
   where not w.is_job`

const JOB_HOURS = `
  insert into result_hours (monitor_no, hour, ok, failed, inconclusive)
  select w.no, date_trunc('hour', r.slot), count(*) filter (where r.verdict = ${VERDICT_CODE.PASSED}),
         count(*) filter (where r.verdict = ${VERDICT_CODE.FAILED}), 0
    from watched w join results r on r.monitor_no = w.no
   where w.is_job and r.slot < date_trunc('hour', now()) group by 1, 2`

const DAYS = `
  insert into result_days (monitor_no, day, ok, failed, inconclusive, p50_ms, p95_ms, max_ms)
  select monitor_no, hour::date, sum(ok), sum(failed), 0, avg(p50_ms), avg(p95_ms), max(max_ms)
    from result_hours where monitor_no in (select no from watched) and hour < date_trunc('day', now())
   group by 1, 2`

const RESULTS = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select w.no, s.slot, case when w.is_job then ${KIND_CODE.PING} else ${KIND_CODE.SCHEDULED} end,
         case bad.state when 'DOWN' then ${VERDICT_CODE.FAILED} when 'DEGRADED' then ${VERDICT_CODE.SLOW}
                        else ${VERDICT_CODE.PASSED} end,
         case when not w.is_job and (bad.state is distinct from 'DOWN' or c.status is not null) then t.ms end,
         case when w.is_web then case when bad.state = 'DOWN' then c.status else 200 end end,
         r.no,
         case when w.is_web then
           ((case when bad.state = 'DOWN' then c.code else pg_temp.phase(greatest(1, t.ms - 39)) end)::bit(8)
             || 24::bit(8) || 12::bit(8) || 3::bit(8))::bit(32)::integer end
    from watched w
    cross join lateral generate_series(
      date_trunc('minute', now()) - w.raw_days * interval '1 day' + w.no % 60 * interval '1 second',
      now() - interval '20 seconds', w.interval_seconds * interval '1 second') s (slot)
    left join lateral (
      select b.state, b.started_at from state_spans b
       where b.monitor_no = w.no and b.state <> 'UP' and b.started_at <= s.slot + interval '2 seconds'
         and coalesce(b.ended_at, 'infinity') > s.slot limit 1) bad on true
    left join causes c on c.monitor_no = w.no and c.started_at = bad.started_at
    cross join lateral (
      select (w.usual_ms * pg_temp.load_at(s.slot) * (0.86 + random() * 0.3 + (random() > 0.985)::integer * random() * 2)
               * case bad.state when 'DEGRADED' then ${SLOWER} else 1 end)::integer as ms) t
    cross join lateral (select no from regions where name = 'eu-central') r
   where bad.state is distinct from 'PAUSED'
      on conflict do nothing`

// What decides whether a monitor is slow: its latest response times, as if checks had recorded them.
const SAMPLES = `
  update monitor_states s set samples = last.ms, last_response_ms = last.ms[cardinality(last.ms)]
    from (select w.no, array_agg(r.response_ms order by r.slot) as ms
            from watched w cross join lateral (
              select slot, response_ms from results
               where monitor_no = w.no and slot > now() - interval '1 day' and response_ms is not null
               order by slot desc limit 20) r
           group by 1) last
   where s.monitor_no = last.no`

type Cause = { monitorNo: number; startedAt: Date; code: string }

/** Writes `rawDays` of single results for the named monitors; the crowd gets a short history. */
export async function writeMeasures(
  client: pg.Client,
  monitors: readonly (DemoMonitor & { isOfCrowd: boolean })[],
  { rawDays, causes }: { rawDays: number; causes: readonly Cause[] },
): Promise<void> {
  await client.query(FUNCTIONS)
  await client.query(SEED)
  await writeRows(
    client,
    'watched',
    monitors.map((monitor) => ({
      no: monitor.no,
      usual_ms: monitor.usualMs,
      interval_seconds: monitor.intervalSeconds,
      is_job: monitor.type === 'CRON',
      is_web: monitor.type === 'HTTP' || monitor.type === 'KEYWORD',
      raw_days: monitor.isOfCrowd ? 1 : rawDays,
      hour_days: monitor.isOfCrowd ? 2 : PAST_DAYS,
    })),
  )
  await writeRows(
    client,
    'causes',
    causes.map(({ monitorNo, startedAt, code }) => ({
      monitor_no: monitorNo,
      started_at: startedAt,
      code: CAUSE_CODES.findIndex((known) => known === code) + 1,
      status: code === 'UNEXPECTED_STATUS' ? 503 : null,
    })),
  )
  await client.query('analyze watched; analyze state_spans')
  for (const text of [HOURS, RESULTS, JOB_HOURS, DAYS, SAMPLES]) await client.query(text)
}
