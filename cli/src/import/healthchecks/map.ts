// Checks of Healthchecks.io, hosted or your own.
import { CommandError } from '../../command.ts'
import { Collector, type Imported } from '../common/collector.ts'
import { ItemDraft } from '../common/draft.ts'
import { setName, setNumber } from '../common/limits.ts'
import { reportUnread, type SettingRules, WatchedRow } from '../common/settings.ts'
import { TagBook } from '../common/tags.ts'
import { isRow, numberOf, rowsOf, type SourceRow, textOf } from '../common/values.ts'
import { largestGap } from './cron.ts'

const NO_PLACE = 'Upvane has no such setting.'
const CHECK_RULES: SettingRules = {
  own: new Set([
    'slug',
    'unique_key',
    'n_pings',
    'started',
    'last_ping',
    'last_duration',
    'next_ping',
    'update_url',
    'pause_url',
    'resume_url',
    'badge_url',
    // The time zone of a schedule, which is reported with it.
    'tz',
  ]),
  shown: new Set(['desc', 'methods', 'start_kw', 'success_kw', 'failure_kw', 'channels']),
  whys: {
    desc: NO_PLACE,
    methods: NO_PLACE,
    start_kw: NO_PLACE,
    success_kw: NO_PLACE,
    failure_kw: NO_PLACE,
    filter_subject: NO_PLACE,
    filter_body: NO_PLACE,
    filter_http_body: NO_PLACE,
    filter_default_fail: NO_PLACE,
    manual_resume: NO_PLACE,
    channels: 'Attach contacts in Upvane.',
  },
}
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** `{checks: […]}`, as /api/v1, v2 and v3 answer. */
export function readHealthchecks(path: string, json: unknown): SourceRow[] {
  if (!isRow(json) || !Array.isArray(json['checks']))
    throw new CommandError(1, `${path} is no answer of Healthchecks: it has no list "checks".`)
  return rowsOf(json['checks'])
}

export function mapHealthchecks(checks: readonly SourceRow[]): Imported {
  const out = new Collector('healthchecks')
  out.announce('heartbeat', checks.length)
  const tags = new TagBook(out)
  for (const given of checks) {
    const watched = new WatchedRow(given)
    const { row } = watched
    const name = textOf(row, 'name') || textOf(row, 'slug')
    const pingUrl = textOf(row, 'ping_url')
    const [uuid = ''] = UUID.exec(textOf(row, 'uuid') || pingUrl) ?? []
    const draft = draftCheck(row, name)
    if (draft.refusal === undefined) tags.set(draft, textOf(row, 'tags').split(/\s+/))
    reportUnread(draft, watched, CHECK_RULES)
    const id = uuid || textOf(row, 'unique_key', 'slug')
    const key = out.add('monitors', { kind: 'heartbeat', id, name }, draft)
    if (key === undefined) continue
    const oldUrl = pingUrl || (uuid === '' ? '' : `/ping/${uuid}`)
    out.moveHeartbeat({ monitor: key, name, token: uuid.toLowerCase(), oldUrl })
  }
  return out.finish()
}

function draftCheck(row: SourceRow, name: string): ItemDraft {
  const draft = new ItemDraft()
  setName(draft, name)
  draft.set('type', 'CRON')
  const schedule = textOf(row, 'schedule')
  if (schedule === '') setNumber(draft, 'expectedPeriodSec', numberOf(row, 'timeout'))
  else mapSchedule(draft, schedule, textOf(row, 'tz'))
  setNumber(draft, 'graceSeconds', numberOf(row, 'grace'))
  if (textOf(row, 'status') === 'paused') draft.set('paused', true)
  return draft
}

function mapSchedule(draft: ItemDraft, schedule: string, zone: string): void {
  const gap = largestGap(schedule)
  if (gap === undefined) return draft.refuse('Its schedule cannot be read as a cron expression.')
  draft.change(
    'schedule',
    zone === '' ? schedule : `${schedule} (${zone})`,
    `every ${gap} s`,
    'Upvane expects a period: the longest gap between two runs.',
  )
  setNumber(draft, 'expectedPeriodSec', gap)
}
