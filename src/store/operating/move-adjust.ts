// What an import resets after its rows are written, in the same transaction: docs/operating/moving-organizations.md lists
// it by column.
import type { MoveDecisions, MoveResets } from '../../domain/operating/move-decisions.ts'
import { hashToken, newToken } from '../../platform/crypto/token.ts'
import { type Db, type Statement, sql } from '../core/db.ts'
import { MoveInError } from './move-in-error.ts'

// As upvane org create has it.
const SUBSCRIPTION = 'ACTIVE'
const BATCH = 1000

const FIND = sql`
  select o.plan, o.limit_overrides <> '{}' as "hasOverrides", o.private_targets as "hasPrivateTargets", s.status
    from organizations o left join subscriptions s on s.org_id = o.id where o.id = $1`
// A region that this installation does not have would mean no region at all.
const ADJUST = sql`
  update organizations o
     set plan = $2, limit_overrides = case when $3 then limit_overrides else '{}' end,
         private_targets = o.private_targets and $4, created_at = least(created_at, now()),
         home_chosen_at = null, home_region = (select r.name from regions r where r.name = o.home_region)
   where o.id = $1`
const SUBSCRIBE = sql`
  insert into subscriptions (org_id, status) values ($1, $2)
  on conflict (org_id) do update set status = excluded.status, past_due_since = null`
// A count of the file would let it create as many as it likes.
const COUNT_USAGE = sql`
  insert into organization_usage (org_id, monitors)
  values ($1, (select count(*) from monitors where org_id = $1))
  on conflict (org_id) do update set monitors = excluded.monitors`
const FIND_LIMITS = sql`
  select u.monitors as have, p.name as plan,
         case when o.limit_overrides ? 'monitors' then (o.limit_overrides ->> 'monitors')::integer
              else p.monitors end as "most",
         case when o.limit_overrides ? 'fastestIntervalSeconds'
              then (o.limit_overrides ->> 'fastestIntervalSeconds')::integer
              else p.fastest_interval_seconds end as fastest
    from organizations o join plans p on p.name = o.plan join organization_usage u on u.org_id = o.id
   where o.id = $1`
const SLOW_DOWN = sql`
  update monitors set interval_seconds = $2 where org_id = $1 and interval_seconds < $2 returning 1`

// The same, for what was chosen for monitors, tags and all of it; not more of them than the plan has.
const FITTING_REGIONS = sql`
  array(select w.name from unnest(s.regions) with ordinality w (name, at) join regions r on r.name = w.name
         order by w.at
         limit (select case when o.limit_overrides ? 'regionsPerMonitor'
                            then (o.limit_overrides ->> 'regionsPerMonitor')::integer else p.regions_per_monitor end
                  from organizations o join plans p on p.name = o.plan where o.id = s.org_id))`
const DROP_REGIONS = sql`
  delete from region_settings s where s.org_id = $1 and cardinality(${FITTING_REGIONS}) = 0`
const FIT_REGIONS = sql`
  update region_settings s set regions = ${FITTING_REGIONS} where s.org_id = $1`

const RESET_DOMAINS = sql`
  update status_pages
     set custom_domain_status = 'PENDING', custom_domain_checked_at = null, custom_domain_failed_at = null
   where org_id = $1 and custom_domain_status = 'ACTIVE' returning 1`
// The file knows the open links as well.
const RESET_CONTACTS = sql`
  with reset as (
    update alert_contacts c
       set confirmed_at = null, confirm_token_hash = null, confirm_expires_at = null, confirm_sent_at = null
      from alert_contacts before
     where c.org_id = $1 and before.id = c.id and c.channel = 'EMAIL'
    returning before.confirmed_at)
  select 1 from reset where confirmed_at is not null`
const LIST_SUBSCRIBERS = sql`
  select id as uuid, confirmed_at is not null as "isConfirmed" from page_subscribers
   where org_id = $1 and id > $2 order by id limit ${{ text: String(BATCH) }}`
const RESET_SUBSCRIBERS = sql`
  update page_subscribers s
     set confirmed_at = null, asked_at = now(), token = t.token, token_hash = t.hash
    from unnest($2::uuid[], $3::bytea[], $4::bytea[]) as t (id, token, hash)
   where s.org_id = $1 and s.id = t.id`

// Their content and their recipients are rows of the file. Webhooks go to the organization's own endpoints.
const END_EMAILS = sql`
  update deliveries
     set status = 'FAILED', next_attempt_at = null, completed_at = now(),
         last_error = 'Not sent: the organization moved to another installation meanwhile.'
   where org_id = $1 and channel <> 'WEBHOOK' and status = 'PENDING' returning 1`
const END_NOTICES = sql`
  update subscriber_notices set completed_at = now()
   where org_id = $1 and completed_at is null returning 1`

// Stored responses are kept for a day.
const BOUND_REPLAYS = sql`
  update idempotency_records set expires_at = least(expires_at, now() + interval '1 day') where org_id = $1`
// A region of the other installation was in doubt.
const FORGET_DOUBTS = sql`
  update alert_troubles set doubt_id = null where org_id = $1 and doubt_id is not null`
// A hash names its own cost, up to hours of a core: then everyone who visits the page could stop the service.
const FIND_COSTLY = sql`
  select 1 as one from status_pages
   where org_id = $1 and password_hash is not null
     and (char_length(password_hash) > 200
          or password_hash !~ '^[$]argon2id[$]v=19[$]m=[0-9]{1,5},t=[0-9],p=[1-4][$]') limit 1`

/** Encrypts the token of a subscriber. */
type SealToken = (subscriberUuid: string, token: string) => Buffer
type Adjusting = { db: Db; orgId: string; sealToken: SealToken; decisions: MoveDecisions }
type Reset = Omit<MoveResets, 'invitations' | 'ownContacts'>

export async function adjustMovedIn({
  db,
  orgId,
  sealToken,
  decisions,
}: Adjusting): Promise<Reset> {
  const count = async (isKept: boolean, statement: Statement, values: readonly unknown[] = []) =>
    isKept ? 0 : (await db.query(statement, [orgId, ...values])).length
  if ((await db.query(FIND_COSTLY, [orgId])).length > 0)
    throw new MoveInError('The password of a status page is stored in a form that is unknown here.')
  await db.query(BOUND_REPLAYS, [orgId])
  await db.query(FORGET_DOUBTS, [orgId])
  const organization = await adjustOrganization(db, orgId, decisions)
  const { keepsConfirmed, keepsDomains, keepsQueue } = decisions
  return {
    ...organization,
    slowed: await fitIntoPlan(db, orgId),
    domains: await count(keepsDomains, RESET_DOMAINS),
    contacts: await count(keepsConfirmed, RESET_CONTACTS),
    subscribers: keepsConfirmed ? 0 : await resetSubscribers(db, orgId, sealToken),
    emails: await count(keepsQueue, END_EMAILS),
    notices: await count(keepsQueue, END_NOTICES),
  }
}

async function adjustOrganization(db: Db, orgId: string, decisions: MoveDecisions) {
  type Row = {
    plan: string
    hasOverrides: boolean
    hasPrivateTargets: boolean
    status: string | null
  }
  const [found] = await db.query<Row>(FIND, [orgId])
  if (found === undefined) throw new MoveInError('The file has no organization.')
  const { keepsLimits, keepsPrivateTargets, keepsSubscription } = decisions
  const plan = decisions.plan ?? found.plan
  await db.query(ADJUST, [orgId, plan, keepsLimits, keepsPrivateTargets])
  const from = found.status ?? 'NONE'
  const isKept = keepsSubscription && found.status !== null
  if (!isKept) await db.query(SUBSCRIBE, [orgId, SUBSCRIPTION])
  return {
    plan: plan === found.plan ? null : { from: found.plan, to: plan },
    limits: found.hasOverrides && !keepsLimits,
    subscription: isKept || from === SUBSCRIPTION ? null : { from, to: SUBSCRIPTION },
    privateTargets: found.hasPrivateTargets && !keepsPrivateTargets,
  }
}

/** More monitors than the plan has are refused; faster ones are slowed down. */
async function fitIntoPlan(db: Db, orgId: string): Promise<number> {
  await db.query(COUNT_USAGE, [orgId])
  type Row = { have: number; most: number | null; fastest: number; plan: string }
  const [limits] = await db.query<Row>(FIND_LIMITS, [orgId])
  if (limits === undefined) throw new MoveInError('There is no such plan here.')
  const { have, most, fastest, plan } = limits
  if (most !== null && have > most)
    throw new MoveInError(
      `The file has ${have} monitors, and the plan ${plan} allows ${most}. Give another --plan.`,
    )
  await db.query(DROP_REGIONS, [orgId])
  await db.query(FIT_REGIONS, [orgId])
  return (await db.query(SLOW_DOWN, [orgId, fastest])).length
}

/** Unconfirmed ones that nobody confirms are deleted two days later. The file knows the tokens of their links. */
async function resetSubscribers(db: Db, orgId: string, sealToken: SealToken): Promise<number> {
  type Row = { uuid: string; isConfirmed: boolean }
  let [confirmed, after] = [0, '00000000-0000-0000-0000-000000000000']
  for (;;) {
    const rows = await db.query<Row>(LIST_SUBSCRIBERS, [orgId, after])
    const fresh = rows.map(({ uuid }) => ({ uuid, token: newToken() }))
    await db.query(RESET_SUBSCRIBERS, [
      orgId,
      fresh.map(({ uuid }) => uuid),
      fresh.map(({ uuid, token }) => sealToken(uuid, token)),
      fresh.map(({ token }) => hashToken(token)),
    ])
    confirmed += rows.filter(({ isConfirmed }) => isConfirmed).length
    const last = rows.at(-1)
    if (last === undefined || rows.length < BATCH) return confirmed
    after = last.uuid
  }
}
