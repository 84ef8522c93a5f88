// Every guard between organizations, how it looks when it is gone, and the attack that must succeed then.
import type { Edit, Plant } from '../../private/guards/plants.ts'

const attack = (name: string, only?: string): Pick<Plant, 'tests' | 'only'> => ({
  tests: [`test/hostile/${name}.test.ts`],
  ...(only !== undefined && { only }),
})

/** What is stored is refused by number, not by time: the tests of the limits notice it. */
const limit = (name: string, only: string): Pick<Plant, 'tests' | 'only'> => ({
  tests: [`test/${name}.test.ts`],
  only,
})

/** Beside the file that has the guard. */
const own = (name: string, only: string): Pick<Plant, 'tests' | 'only'> => ({
  tests: [`${name}.test.ts`],
  only,
})

const plant = (
  guard: string,
  [file, from, to]: [file: string, from: string, to: string],
  against: Pick<Plant, 'tests' | 'only'>,
  more: readonly Edit[] = [],
): Plant => ({ guard, edits: [{ file, from, to }, ...more], ...against })

const ACCOUNT = "    { subject: subjectOf('account', email), limit: MAX_TRIES_IN_ALL },\n"

// biome-ignore format: a table is read by its columns
export const PLANTS: readonly Plant[] = [
  plant('Markdown on pages is bounded', ['src/pages/views/markdown.ts', 'isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)', 'parse(text)'], attack('markdown')),
  plant('Markdown in mails is bounded', ['src/channels/email/markup.ts', 'isWithinMarkdownBound(text) ? parse(text) : renderPlain(text)', 'parse(text)'], attack('markdown', 'in mails')),
  plant('the pattern of deep lists shares no blanks', ['src/domain/values/markdown-bound.ts', '/^[ \\t]*(?:(?:[-+*]|\\d{1,20}[.)])[ \\t]+){5}/m', '/^(?:[ \\t]*(?:[-+*]|\\d+[.)])[ \\t]+){5}/m'], attack('markdown', 'drafts')),
  plant('busy work is done in turn, with rests', ['src/platform/limits/busy-work.ts', '  return limit.run(orgId, async () => {', '  if (orgId !== "") return Promise.resolve(work())\n  return limit.run(orgId, async () => {'], attack('markdown', 'in mails')),
  plant('WHOIS answers are read in linear time', ['src/checks/whois.ts', '/^[ \\t]*(?:registry expiry date', '/^\\s*(?:registry expiry date'], attack('servers')),
  plant('an organization has a few connections of the API', ['src/wiring/share-connections.ts', 'limitOf(total, Math.min(perOrganization, Math.max(1, total - 1)))', 'limitOf(100_000, 100_000)'], attack('contention', 'Writes|One row')),
  plant('passwords are hashed outside transactions', ['src/api/http/write.ts', 'const prepared = await prepare(deps, write)', 'const prepared = undefined'], attack('contention', 'Passwords'), [{ file: 'src/api/http/write.ts', from: 'bound.handle(input, context, prepared)', to: 'bound.handle(input, context, prepared ?? (await prepare({ tenants, baseUrl }, write)))' }]),
  plant('the address is counted before the account', ['src/actions/people/password-limits.ts', 'return [\n', `return [\n${ACCOUNT}`], attack('floods')),
  plant('small bodies are small', ['src/api/http/input/request-body.ts', 'maxBytes: FEWEST_BYTES', 'maxBytes: MOST_BYTES'], limit('private/bodies', 'what needs no membership')),
  plant('large bodies of one organization wait unread', ['src/api/http/input/request-body.ts', 'return large.run(owner, async () => {', 'return large.run(String(Math.random()), async () => {'], attack('bodies')),
  plant('values are counted before a body is parsed', ['src/api/http/input/request-body.ts', 'if (exceeds(bytes, limit))', 'if (bytes.length === 0)'], attack('bodies', 'whole')),
  plant('pages have no more values than their rules allow', ['src/api/http/input/body-bounds.ts', 'Math.min(tokens, mostTokens)', 'tokens'], own('src/api/http/input/body-bounds', 'the largest valid body')),
  plant('levels are counted before a body is parsed', ['src/api/http/input/body-bounds.ts', '      if (depth > maxDepth) return true\n', ''], own('src/api/http/input/body-bounds', 'exceeds:')),
  plant('large bodies are parsed in turn, with rests', ['src/api/http/input/request-body.ts', 'return runInTurn(owner, () => accept(parseBody(request, bytes, limit)))', 'return accept(parseBody(request, bytes, limit))'], own('src/api/http/input/request-body', 'validating a large body')),
  plant('requests start a few at a time', ['src/platform/limits/start-queue.ts', 'const STARTS_PER_TURN = 8', 'const STARTS_PER_TURN = 100_000'], attack('bodies')),
  plant('a calendar computes what it shows', ['src/api/private/screens/windows.ts', 'soonestOccurrences(upcoming, MAX_ENTRIES + 1)', 'soonestOccurrences(upcoming, 1_000_000)'], attack('calendar')),
  plant('event streams are limited for a person and an organization', ['src/api/private/streams/streams.ts', 'if (this.#count < perProcess && isWithin) return', 'if (this.#count < perProcess) return'], attack('streams')),
  plant('the private API is limited for a session', ['src/api/private/private-api.ts', '    limits.countMember(visit, found.session.uuid, found.membership?.orgId)\n', ''], attack('contention', 'One row')),
  plant('stored responses have a quota', ['src/api/http/write.ts', 'await refuseWithoutRoom(tx, { usedBytes, quotaBytes })', ''], limit('contract/response-quota', '429 before it runs')),
  plant('a large response is judged again', ['src/api/http/write.ts', 'await refuseTooLarge(tx, kept, known?.quotaBytes ?? 0)', ''], limit('contract/response-quota', 'a large response')),
  plant('bound resources exist in the organization', ['src/actions/sources/put-bindings.ts', 'await refuseUnknown(tx, { known, bindings, change })', ''], limit('contract/ext-sources', '400: an id that')),
  plant('bindings of all sources have a total', ['src/actions/sources/put-bindings.ts', 'await refuseTooMany(tx, change, storage.bindings)', ''], limit('contract/ext-sources', '422: bindings of all')),
  plant('large writes of bindings are limited', ['src/api/ext/sources.ts', 'if (body.bindings.length <= MANY_BINDINGS) return', 'return'], limit('contract/ext-sources', '429: more than 150')),
  plant('of a long response little is stored', ['src/api/http/write.ts', 'bound.kept === undefined ? body : JSON.stringify(bound.kept.shorten(output))', 'body'], limit('contract/ext-sources', 'of thousands of new bindings')),
  plant('a token that floods is revoked', ['src/wiring/probe-joins.ts', 'if (asked === FLOOD_OF_TOKEN) revocations.endFlood(token)', ''], limit('e2e/operating/join-tokens', 'a flood from one token')),
  plant('a long response repeats nothing', ['src/domain/sources/binding.ts', 'if (changed.length <= MAX_ECHOED) return changed', 'if (changed.length >= 0) return changed'], limit('contract/ext-sources', 'only rows that changed')),
  plant('bindings that stay are not written', ['src/domain/sources/binding.ts', 'old !== undefined && isSame(old, binding) ? [] : [binding]', '[binding]'], limit('contract/ext-sources', 'only rows that changed')),
  plant('published incidents have a total', ['src/actions/status-incidents/create.ts', "await refuseSurplus(tx, storage, 'statusIncidents')", ''], limit('private/storage-table', '^published incidents')),
  plant('updates of published incidents have a total', ['src/actions/status-incidents/add-update.ts', "await refuseSurplus(tx, storage, 'statusIncidentUpdates')", ''], limit('private/storage-table', '^updates of published')),
  plant('maintenance windows have a total', ['src/actions/maintenance/create.ts', "await refuseSurplus(tx, storage, 'maintenanceWindows')", ''], limit('private/storage-table', '^maintenance windows')),
  plant('subscribers of a page have a total', ['src/actions/status-pages/subscribe.ts', 'if (!(await hasRoom(tx, pageUuid))) return', ''], limit('private/storage-table', 'subscribers of a page')),
  plant('changes have a quota for a day', ['src/actions/charge-day.ts', 'if (refusal === undefined) return', 'return'], limit('private/storage-by-day', '^events')),
  plant('texts of pings have a quota for a day', ['src/actions/results/record-pings.ts', 'withText.has(ping) ? ping : NO_TEXT', 'ping'], limit('private/storage-by-day', '^texts of pings')),
  plant('recoveries wait when the day is full', ['src/domain/values/day-quota.ts', 'usedBytes < limitBytes / 2', 'usedBytes < Number.POSITIVE_INFINITY'], limit('private/storage-transitions', '^beyond it')),
  plant('what pings change is counted', ['src/actions/results/record.ts', '  await countTransitions(database, published)\n', ''], limit('private/storage-transitions', '^changes of state count')),
  plant('checks on demand wait when the day is full', ['src/engine/scheduling/on-demand.ts', 'if (waitMs > 0) return', 'if (waitMs > 1e9) return'], limit('private/storage-transitions', '^POST /check')),
  plant('a success that waits is kept', ['src/domain/monitors/heartbeat.ts', 'return { ...clock, recoversAt }', 'return clock'], limit('fault/held-recovery', 'a success that waits')),
  plant('the addresses of a monitor share its pings', ['src/api/public/token-throttle.ts', 'const key = `#${monitorNo}`', 'const key = token'], own('src/api/public/token-throttle', 'tokens of a monitor')),
  plant('responses of receivers have a quota for a day', ['src/actions/deliveries/settle.ts', 'kept.has(one) ? attempt : blank', 'attempt'], limit('private/storage-by-day', '^responses')),
  plant('open invitations have a total', ['src/actions/people/invite.ts', 'if (surplus !== undefined)', 'if (surplus === "")'], limit('private/storage-table', '^open invitations')),
  plant('members have a total', ['src/actions/people/refuse-surplus-member.ts', 'if (refusal !== undefined)', 'if (refusal === "")'], limit('private/storage-table', '^members')),
  plant('ended API keys go', ['src/actions/people/create-key.ts', 'await forgetEndedKeys(tx, MAX_ENDED_KEYS)', ''], limit('private/storage-table', 'API keys')),
  plant('of the audit log the newest are kept', ['src/engine/janitor/tasks.ts', "await removeSurplusOf(deps, 'auditEntries', 'audit_log')", ''], own('src/engine/janitor/surplus.db', 'the newest are kept')),
  plant('of resolved incidents the newest are kept', ['src/engine/janitor/tasks.ts', "await removeSurplusOf(deps, 'incidents', 'retention')", ''], own('src/engine/janitor/surplus.db', 'the newest are kept')),
  plant('what a probe reports is validated', ['src/engine/probing/job-sender.ts', 'readFinding(result.attempt, isNewer)', 'result.attempt'], own('src/engine/probing/run-check', 'a probe that reports')),
  plant('a probe answers under its own name', ['src/bus/probe-keys.ts', 'return nowMs - (keys.get(key) ?? Number.NEGATIVE_INFINITY) <= KEPT_MS', 'return true'], own('src/engine/probing/hostile-probe.db', 'answers as an honest one')),
  plant('a probe that sends nonsense is suspended', ['src/engine/probing/probe-conduct.ts', 'return isSuspended(this.#conductOf(place), nowMs)', 'return false'], own('src/engine/probing/hostile-probe.db', 'beside an honest one')),
  plant('a join token permits two subscriptions and small messages', ['src/bus/authority.ts', '{ subs: 2, payload: MAX_JOIN_BYTES }', '{ subs: 100, payload: 1_000_000 }'], limit('e2e/operating/join-tokens', 'permits two subscriptions')),
  plant('a probe that waits to join is not disconnected when claims change', ['src/bus/authority.ts', '{ subs: 2, payload', '{ subs: 1, payload'], limit('e2e/operating/join-tokens', 'a probe that waits')),
  plant('a join token ends with its use', ['src/wiring/probe-joins.ts', '        revocations.pushSoon()\n', ''], limit('e2e/operating/join-tokens', 'a token that was used')),
  plant('requests to join have a rate', ['src/wiring/probe-joins.ts', '<= REQUESTS_PER_TOKEN', '<= Number.POSITIVE_INFINITY'], limit('e2e/operating/join-tokens', 'ten requests a minute')),
  plant('of each token, two requests to join are served at a time', ['src/bus/requests.ts', '|| countOf(sender) >= MAX_IN_FLIGHT_OF_SENDER ', ''], own('src/bus/bus.db', 'senders: two requests')),
  plant('an import resets what the file says of domains, contacts and queues', ['src/store/operating/move-adjust.ts', 'isKept ? 0 : (await db.query(statement, [orgId, ...values])).length', 'isKept ? 0 : values.length'], own('src/operator/moves/hostile-moves.db', 'not taken from the file')),
  plant('an import takes no private targets', ['src/store/operating/move-adjust.ts', 'o.private_targets and $4', '(o.private_targets or $4)'], own('src/operator/moves/hostile-moves.db', 'not taken from the file')),
  plant('an import takes no limits', ['src/store/operating/move-adjust.ts', "case when $3 then limit_overrides else '{}' end", 'case when $3 then limit_overrides else limit_overrides end'], own('src/operator/moves/hostile-moves.db', 'not taken from the file')),
  plant('an import asks subscribers again', ['src/store/operating/move-adjust.ts', 'keepsConfirmed ? 0 : await', 'orgId !== "" ? 0 : await'], own('src/operator/moves/hostile-moves.db', 'not taken from the file')),
  plant('the token of a ping alias cannot be guessed', ['src/domain/monitors/ping-alias.ts', 'MIN_ALIAS_TOKEN_CHARACTERS = 10', 'MIN_ALIAS_TOKEN_CHARACTERS = 1'], own('src/domain/monitors/ping-alias', 'the token "')),
]
