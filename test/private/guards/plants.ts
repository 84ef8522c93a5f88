// Every guard of signing in and of roles, and how it looks when it is gone. `node test/private/guards/run.ts` takes each away
// alone, in a copy of the product, and names the test that notices.

export type Edit = { file: string; from: string; to: string }
/** `tests` are files; with `only`, those of their tests whose name holds it. */
export type Plant = { guard: string; edits: Edit[]; tests: string[]; only?: string }

const PEOPLE = 'src/actions/people'
const PRIVATE = 'src/api/private'
const SIGN_IN = 'src/api/private/sign-in'
const OIDC = 'src/outbound/oidc/provider.ts'
const OIDC_TESTS = 'src/outbound/oidc/token'
const LINKS = 'src/actions/incidents/acknowledge-by-link.ts'
const LINK_USE = 'src/domain/alerts/acknowledge-link.ts'
const LINK_TESTS = 'src/actions/incidents/acknowledge-by-link.db'
/** What the token says of itself, where the response with it is at hand. */
const TOKEN_CLAIMS = `JSON.parse(Buffer.from((await response.clone().json()).id_token.split('.')[1], 'base64url').toString())`

/** One replacement, and where it should be noticed. */
function plant(
  guard: string,
  [file, from, to]: [file: string, from: string, to: string],
  test: string,
  only?: string,
): Plant {
  return { guard, edits: [{ file, from, to }], tests: [testFile(test)], ...(only && { only }) }
}

function testFile(name: string): string {
  return name.startsWith('src/') ? `${name}.test.ts` : `test/private/${name}.test.ts`
}

// biome-ignore format: a table is read by its columns
const FIXATION: Plant[] = [
  plant('the old token ends with signing in', [`${PEOPLE}/open-session.ts`, '  if (oldToken !== undefined) await deleteByToken(tx, hashToken(oldToken))\n', ''], 'sign-in', 'was there before'),
  plant('signing in makes a new token', [`${PEOPLE}/open-session.ts`, 'const token = newToken()', 'const token = oldToken ?? newToken()'], 'sign-in', 'was there before'),
  plant('a new password ends every session', [`${PEOPLE}/change-password.ts`, '    await deleteOtherSessions(tx, user.uuid, null)\n', ''], 'sessions', 'changePassword: the new one'),
  plant('a reset ends every session', [`${PEOPLE}/reset-password.ts`, '  await deleteOtherSessions(tx, userUuid, null)\n', ''], 'joining', 'reset: a link is good once'),
  plant('a second factor ends every session', [`${PEOPLE}/change-second-factor.ts`, '  await deleteOtherSessions(tx, userUuid, null)\n', ''], 'sessions', 'second factor'),
  plant('what is no token is not searched for', [`${SIGN_IN}/session-cookie.ts`, 'form.test(value) ? value : undefined', 'value'], 'sign-in', 'cookie: what was never'),
  plant('half a session is none', [`${PRIVATE}/private-api.ts`, 'if (found === undefined || !found.session.complete)', 'if (found === undefined)'], 'matrix', 'getMe'),
  plant('a second factor leaves half a session', [`${PEOPLE}/open-session.ts`, 'openSession(tx, uuid, from, !hasSecondFactor(user))', 'openSession(tx, uuid, from, true)'], 'sessions', 'second factor: set up'),
  plant('a password changed meanwhile opens nothing', [`${PEOPLE}/open-session.ts`, '  if (passwordHash !== undefined && user.passwordHash !== passwordHash) return undefined\n', ''], 'guards', 'while it is verified'),
  plant('half a session ends early', ['src/domain/people/session.ts', 'complete ? SESSION_DAYS * 86_400 : HALF_SESSION_SECONDS', 'SESSION_DAYS * 86_400'], 'sessions', 'half a session ends'),
  plant('half a session ends with a new password', [`${PEOPLE}/verify-second-factor.ts`, 'const isOpen = (await findSession(tx, tokenHash, null)) !== undefined', 'const isOpen = true'], 'guards', 'verifySecondFactor'),
]

// biome-ignore format: a table is read by its columns
const CSRF: Plant[] = [
  plant('a write comes from the dashboard', [`${PRIVATE}/private-api.ts`, 'if (isWrite(bound.operation)) refuseElsewhere(', 'if (isWrite(bound.operation) && request.headers.host === "") refuseElsewhere('], 'matrix', 'same origin'),
  plant('a neighboring host is another site', [`${SIGN_IN}/same-origin.ts`, "if (site !== undefined) return site === 'same-origin'", "if (site !== undefined) return site !== 'cross-site'"], 'matrix', 'same origin'),
  plant('an origin is compared whole', [`${SIGN_IN}/same-origin.ts`, 'return headers.origin === origin', 'return headers.origin?.startsWith(origin) === true'], 'matrix', 'same origin'),
  plant('who says nothing is another site', [`${SIGN_IN}/same-origin.ts`, 'return headers.origin === origin', 'return headers.origin === undefined || headers.origin === origin'], 'matrix', 'same origin'),
  plant('a body is JSON', ['src/api/http/input/request-body.ts', "if (!isJsonType(headers['content-type'] ?? ''))", "if (headers['content-type'] === '')"], 'matrix', 'same origin: a form'),
  plant('the cookie stays on the site', [`${SIGN_IN}/session-cookie.ts`, 'SameSite=Lax', 'SameSite=None'], 'sign-in', 'cookie'),
  plant('the cookie is kept from scripts', [`${SIGN_IN}/session-cookie.ts`, 'HttpOnly; ', ''], 'sign-in', 'cookie'),
  plant('the cookie is only for https', [`${SIGN_IN}/session-cookie.ts`, "isSecure ? '; Secure' : ''", "''"], 'sign-in', 'cookie'),
  plant('the cookie is bound to the host', [`${SIGN_IN}/session-cookie.ts`, 'isSecure ? `__Host-${bareName}` : bareName', 'bareName'], 'sign-in', 'cookie'),
  plant('a stream is for pages of the dashboard', [`${SIGN_IN}/same-origin.ts`, "return site !== undefined && site !== 'same-origin'", "return site === ''"], 'streams', 'not for pages'),
  plant('a look ahead does not sign in', [`${SIGN_IN}/provider-surface.ts`, "if (request.method !== 'GET') return", "if (request.method === 'POST') return"], 'oidc', 'only by GET'),
  plant('the provider answers this very sign-in', [`${SIGN_IN}/provider-flow.ts`, 'flow.state === state && ', ''], 'oidc', 'who comes back'),
  plant('a sign-in at the provider has an end', [`${SIGN_IN}/provider-flow.ts`, ' && flow.endsAtMs > Date.now()', ''], 'src/api/private/sign-in/provider-flow.db'),
  plant('a sign-in at the provider is used up', [`${SIGN_IN}/provider-surface.ts`, 'cookies: [flows.clear(), ...outcome]', 'cookies: [...outcome]'], 'oidc', 'who comes back'),
  plant('another provider does not answer for this one', [OIDC, 'validateAuthResponse(server,', "validateAuthResponse({ ...server, issuer: query.get('iss') ?? server.issuer },"], 'oidc', 'who comes back'),
  plant('tying is finished by who began it', [`${SIGN_IN}/provider-surface.ts`, ' || found.session.user.uuid !== userUuid', ''], 'oidc', 'tying is finished'),
  plant('tying is not finished by half a session', [`${SIGN_IN}/provider-surface.ts`, 'found?.session.complete !== true || found', 'found === undefined || found'], 'oidc', 'tying is finished'),
]

// biome-ignore format: a table is read by its columns
const REDIRECT: Plant[] = [
  plant('the way back is a page of ours', [`${SIGN_IN}/provider-surface.ts`, "toOwnPath(query.get('returnTo') ?? '') ?? '/'", "query.get('returnTo') ?? '/'"], 'oidc', 'goes to a page of ours'),
  plant('a path begins with a slash', ['src/domain/values/own-path.ts', "!text.startsWith('/') || ", ''], 'src/domain/values/own-path'),
  plant('a path has a length', ['src/domain/values/own-path.ts', ' || text.length > MAX_LENGTH', ''], 'src/domain/values/own-path'),
  plant('a path leads to no other origin', ['src/domain/values/own-path.ts', 'url === null || url.origin !== ORIGIN', 'url === null'], 'src/domain/values/own-path'),
  plant('a folded path names no host', ['src/domain/values/own-path.ts', '/^\\/(?![/\\\\])/.test(path) && ', ''], 'src/domain/values/own-path'),
  plant('a path is a page', ['src/domain/values/own-path.ts', ' && !isService(url.pathname)', ''], 'src/domain/values/own-path'),
]

// biome-ignore format: a table is read by its columns
const ENUMERATION: Plant[] = [
  plant('an unknown account costs a hash', [`${PEOPLE}/sign-in.ts`, 'await verifyPassword(password, user?.passwordHash ?? DUMMY_HASH)', 'user?.passwordHash ? await verifyPassword(password, user.passwordHash) : false'], 'sign-in', 'takes as long'),
  plant('an unknown account is answered alike', [`${PEOPLE}/sign-in.ts`, '    if (user === undefined || ', "    if (user === undefined) throw new ApiError('unauthorized', 'There is no such account.')\n    if ("], 'sign-in', 'are the same'),
  plant('a reset is not waited for', [`${SIGN_IN}/joining.ts`, "const isBegun = background.begin('password reset', () =>\n      sendReset(deps.tenants, people, { email, baseUrl }),\n    )", 'await sendReset(deps.tenants, people, { email, baseUrl })\n    const isBegun = true'], 'mail', 'answer is the same'),
  plant('unknown accounts are counted too', [`${PEOPLE}/sign-in.ts`, 'const limits = passwordLimits(address, from.address, device)', 'const limits = (await findUserByEmail(people, address)) ? passwordLimits(address, from.address, device) : []'], 'sign-in', 'do not exist as well'),
  plant('an organization of others is not there', [`${PRIVATE}/private-api.ts`, "throw new ApiError('not_found', 'There is no such organization.')", "throw new ApiError('forbidden', 'You are no member.')"], 'matrix', 'getOrganization'),
  plant('tries name nobody', ['src/store/people/sign-in-windows.ts', "createHash('sha256').update(what).digest('base64url')", 'what'], 'sign-in', 'nowhere in clear'),
]

// biome-ignore format: a table is read by its columns
const BRUTE_FORCE: Plant[] = [
  plant('five tries for an account', ['src/domain/people/sign-in.ts', 'MAX_TRIES_PER_ACCOUNT = 5', 'MAX_TRIES_PER_ACCOUNT = 5000'], 'sign-in', 'of a hundred tries'),
  plant('fifty tries for an account from everywhere', ['src/domain/people/sign-in.ts', 'MAX_TRIES_IN_ALL = 50', 'MAX_TRIES_IN_ALL = 5000'], 'sign-in', 'takes fifty wrong tries'),
  plant('a refused address adds nothing to an account', [`${PEOPLE}/limit-tries.ts`, '  for (const limit of limits) {\n    const reached = await countTry(people, limit)\n    if (reached !== undefined) throw', '  let first\n  for (const limit of limits) first = (await countTry(people, limit)) ?? first\n  {\n    const reached = first\n    if (reached !== undefined) throw'], 'sign-in', 'cannot lock accounts'),
  plant('a known browser has its own limit', [`${PEOPLE}/password-limits.ts`, '  if (device !== undefined) return [deviceLimit(device)]\n', ''], 'sign-in', 'takes fifty wrong tries'),
  plant('a known browser is signed', [`${SIGN_IN}/device-cookie.ts`, 'timingSafeEqual(given, expected)', 'given.length === expected.length'], 'sign-in', 'counts for its account alone'),
  plant('a known browser is bound to its account', [`${PEOPLE}/sign-in.ts`, 'user?.uuid === device.userUuid ? device : undefined', 'user && device'], 'sign-in', 'counts for its account alone'),
  plant('a try the gate refused is taken back', [`${PEOPLE}/limit-tries.ts`, 'if (error instanceof ApiError) await takeBackTry(people, subjects)', ''], 'sign-in', 'full gate'),
  plant('twenty tries for an address', ['src/domain/people/sign-in.ts', 'MAX_TRIES_PER_ADDRESS = 20', 'MAX_TRIES_PER_ADDRESS = 2000'], 'sign-in', 'one address tries twenty'),
  plant('a network of IPv6 is one address', ['src/domain/values/network.ts', "if (!address.includes(':')) return address", 'return address'], 'sign-in', 'one address tries twenty'),
  plant('one too many is refused', [`${PEOPLE}/limit-tries.ts`, 'if (reached !== undefined) throw tooMany(reached.secondsLeft)', 'void reached'], 'sign-in', 'of a hundred tries'),
  plant('a try is counted before it is made', [`${PEOPLE}/limit-tries.ts`, '  await limitRequests(people, limits)\n  const subjects = limits.map(({ subject }) => subject)\n  let outcome: T | undefined\n  try {\n    outcome = await attempt()\n', '  const subjects = limits.map(({ subject }) => subject)\n  let outcome: T | undefined\n  try {\n    outcome = await attempt()\n    await limitRequests(people, limits)\n'], 'sign-in', 'of a hundred tries'),
  plant('who succeeds uses up none', [`${PEOPLE}/limit-tries.ts`, 'if (outcome !== undefined) await takeBackTry(people, subjects)\n', ''], 'sign-in', 'uses up no tries'),
  plant('a window ends by itself', ['src/store/people/sign-in-windows.ts', 'then 1 else w.failures + 1', 'then w.failures + 1 else w.failures + 1'], 'guards', 'window ends'),
  plant('second factors are counted', [`${PEOPLE}/second-factor.ts`, 'limit: MAX_TRIES_PER_ACCOUNT', 'limit: 1000 * MAX_TRIES_PER_ACCOUNT'], 'sessions', 'guessing ends after five'),
  plant('a password asked for again is counted', [`${PEOPLE}/prove-again.ts`, 'passwordLimits(email, address, known)', '[]'], 'sessions', 'stolen session cannot guess'),
  plant('made-up reset links are counted', [`${PEOPLE}/reset-password.ts`, 'limit: MAX_LINKS_PER_ADDRESS', 'limit: 1000 * MAX_LINKS_PER_ADDRESS'], 'joining', 'made-up links'),
  plant('made-up reset links cost no hash', [`${PEOPLE}/reset-password.ts`, 'if (email === undefined) return undefined\n    judge(email)\n', "judge(email ?? '')\n"], 'joining', 'made-up links'),
  plant('made-up invitations are counted', [`${PEOPLE}/accept-invitation.ts`, 'limit: MAX_LINKS_PER_ADDRESS', 'limit: 1000 * MAX_LINKS_PER_ADDRESS'], 'guards', 'readInvitation'),
  plant('made-up links of the first start are counted', [`${PEOPLE}/set-up.ts`, 'limit: MAX_LINKS_PER_ADDRESS }], async () => {\n    if (!(await works(people, token))) return undefined\n    const', 'limit: 1000 * MAX_LINKS_PER_ADDRESS }], async () => {\n    if (!(await works(people, token))) return undefined\n    const'], 'guards', 'setUp: made-up links end'),
  plant('made-up links that only read the first start are counted', [`${PEOPLE}/set-up.ts`, 'limit: MAX_LINKS_PER_ADDRESS }], async () => {\n    if (!(await works(people, token))) return undefined\n    return', 'limit: 1000 * MAX_LINKS_PER_ADDRESS }], async () => {\n    if (!(await works(people, token))) return undefined\n    return'], 'guards', 'readSetup: made-up links end'),
  plant('made-up links of the first start cost no hash', [`${PEOPLE}/set-up.ts`, '    if (!(await works(people, token))) return undefined\n    const', '    const'], 'guards', 'setUp: made-up links cost'),
  plant('the link of the first start ends', [`${PEOPLE}/set-up.ts`, 'isRecentSetUpToken(token, new Date()) && ', ''], 'set-up', 'ends after an hour'),
  plant('mails asked for are counted', [`${SIGN_IN}/joining.ts`, 'limit: MAX_LINKS_PER_ADDRESS', 'limit: 1000 * MAX_LINKS_PER_ADDRESS'], 'mail', 'asks twenty times'),
  plant('one person is sent three links an hour', [`${PEOPLE}/reset-password.ts`, 'MAX_LINKS_AN_HOUR = 3', 'MAX_LINKS_AN_HOUR = 3000'], 'mail', 'reset: mail'),
  plant('a person sends fifty invitations', [`${PRIVATE}/organization.ts`, '[session.user.uuid, tenant.orgId].map', '[tenant.orgId].map'], 'mail-abuse', 'one person invites fifty'),
  plant('an organization sends ten tests', [`${PRIVATE}/receiver-tests.ts`, 'MAX_TESTS = 10', 'MAX_TESTS = 1000'], 'mail-abuse', 'ten tests'),
  plant('an address that did not agree is not tested before saving', [`${PRIVATE}/receiver-tests.ts`, "if (channel === 'EMAIL') await refuseStranger", "if (channel === 'never') await refuseStranger"], 'receiver-tests', 'members and confirmed'),
  plant('a saved secret is not sent to another server before saving', [`${PRIVATE}/receiver-tests.ts`, '    ...secretsToRepeat(channel, old, given),\n', ''], 'receiver-tests', 'another server'),
  plant('an endpoint is public before saving', [`${PRIVATE}/receiver-tests.ts`, '    if (message !== undefined) throw validationError', '    if (message === null) throw validationError'], 'receiver-tests', 'not public'),
  plant('a section publishes only what was shown', ['src/actions/tags/follow.ts', 'if (tag.monitors > expected)', 'if (tag.monitors > 1000 + expected)'], 'followed-tags', 'than was shown'),
  plant('an import creates nothing twice', ['src/actions/bulks/import-monitors.ts', '  await lockUsage(tx)\n', ''], 'monitor-imports', 'at once'),
  plant('a mailbox gets five an hour', ['src/store/people/email-limits.ts', 'PER_HOUR = 5', 'PER_HOUR = 500'], 'mail-abuse', 'five emails an hour'),
  plant('a tag is the same mailbox', ['src/domain/values/email-address.ts', "slice(0, at).split('+')", "slice(0, at).split('\\0')"], 'mail-abuse', 'five emails an hour'),
  plant('a contact that did not agree is not tested', ['src/actions/alerts/test-contact.ts', 'if (!contact.isConfirmed)', 'if (contact.name === \'\')'], 'mail-abuse', 'once its owner agreed'),
  plant('an address is asked', ['src/actions/alerts/confirm-contact.ts', 'if (await isMember(tx, comparable(to)))', 'if (to !== \'\')'], 'mail-abuse', 'contact'),
  plant('a confirmation works once', ['src/store/alerts/contacts.ts', "set confirmed_at = now(), confirm_token_hash = null, confirm_expires_at = null\n   where org_id = $1 and id = $2 and", "set confirmed_at = now()\n   where org_id = $1 and id = $2 and"], 'mail-abuse', 'once its owner agreed'),
  plant('a changed address is asked again', ['src/actions/alerts/update-contact.ts', '    await requestConfirmation(tx, { uuid, address }, emailOptions)\n', '    void requestConfirmation\n'], 'mail-abuse', 'waits again'),
  plant('a link of an alert is proven', [LINKS, "return cipher.unseal(linkLocation(link), proof) === ''", 'return proof.length > 0'], LINK_TESTS, 'is refused'),
  plant('a link of an alert ends after a day', [LINK_USE, 'if (expiresAt > now && resolvedAt === null) return', 'if (resolvedAt === null) return'], LINK_TESTS, 'is refused'),
  plant('a link of an alert ends with its incident', [LINK_USE, 'if (expiresAt > now && resolvedAt === null) return', 'if (expiresAt > now) return'], LINK_TESTS, 'ends with its incident'),
  plant('a link of an alert belongs to its contact', [LINK_USE, '{ incidentUuid, contactUuid, expiresAt }: AcknowledgeLink) {\n  const row', "{ incidentUuid, expiresAt }: AcknowledgeLink, contactUuid = '') {\n  const row"], LINK_TESTS, 'is refused'),
  plant('a name is one line', ['src/contract/private/display-name.ts', ', pattern: ONE_LINE', ''], 'mail-abuse', 'names'),
  plant('an organization sends fifty invitations', ['src/domain/people/sign-in.ts', 'MAX_INVITATIONS = 50', 'MAX_INVITATIONS = 5000'], 'joining', 'fifty at most'),
  plant('made-up codes of a provider are counted', [`${SIGN_IN}/provider-surface.ts`, 'limit: MAX_TRIES_PER_ADDRESS', 'limit: 1000 * MAX_TRIES_PER_ADDRESS'], 'oidc', 'made up end'),
  plant('a password has a length', ['src/domain/people/sign-in.ts', 'if (length < MIN_PASSWORD_LENGTH) return', 'if (length < 1) return'], 'src/domain/people/sign-in'),
  plant('a password is not one character', ['src/domain/people/sign-in.ts', 'if (new Set(plain).size < 5) return', 'if (new Set(plain).size < 0) return'], 'src/domain/people/sign-in'),
  plant('a password is not the address', ['src/domain/people/sign-in.ts', 'local.length >= 4 && plain.includes(local)', "local === 'never'"], 'src/domain/people/sign-in'),
  plant('the first password is judged', [`${SIGN_IN}/joining.ts`, "    requireStrongPassword(password, email)\n    const { people } = visit\n", '    const { people } = visit\n'], 'guards', 'weak'),
  plant('a password after a reset is judged', [`${SIGN_IN}/joining.ts`, 'const judge = (email: string) => requireStrongPassword(password, email)', 'const judge = () => {}'], 'guards', 'weak'),
  plant('the password of somebody invited is judged', [`${SIGN_IN}/joining.ts`, "  requireStrongPassword(password, email)\n  return { name, password }\n", '  return { name, password }\n'], 'guards', 'weak'),
  plant('a changed password is judged', [`${SIGN_IN}/account.ts`, '    requireStrongPassword(body.password, user.email)\n', ''], 'guards', 'weak'),
  plant('nobody has more than a hundred sessions', ['src/store/people/sessions.ts', '  await people.query(PRUNE, [userUuid, MAX_SESSIONS])\n', ''], 'sessions', 'more than a hundred'),
]

/** The same condition is in two statements, of which either would do. */
function twice(guard: string, edit: Edit, more: Edit, [test, only]: [string, string]): Plant {
  return { guard, edits: [edit, more], tests: [testFile(test)], only }
}

const USERS = 'src/store/people/users.ts'
const CLOSED: Plant = twice(
  'a closed account is answered alike',
  {
    file: USERS,
    from: 'email = $1 and disabled_at is null`\nconst BY_ID',
    to: 'email = $1`\nconst BY_ID',
  },
  {
    file: USERS,
    from: 'where id = $1 and disabled_at is null for update`',
    to: 'where id = $1 for update`',
  },
  ['sign-in', 'are the same'],
)

const TOKENS = 'src/store/people/user-tokens.ts'
const LINK = 't.token_hash = $1 and t.purpose = $2 and t.used_at is null and t.expires_at > now()'
const inFind = (to: string): Edit => ({
  file: TOKENS,
  from: `   where ${LINK}\``,
  to: `   where ${to}\``,
})
const inSpend = (to: string): Edit => ({
  file: TOKENS,
  from: `   where ${LINK}\n`,
  to: `   where ${to}\n`,
})
const unused = LINK.replace(' and t.used_at is null', '')
const endless = LINK.replace(' and t.expires_at > now()', '')

// biome-ignore format: a table is read by its columns
const REUSE: Plant[] = [
  twice('a reset link is good once', inFind(unused), inSpend(unused), ['joining', 'reset: a link is good once']),
  { ...twice('a reset link is good once, also at once', inSpend(unused), inSpend(unused), ['joining', 'reset: ten at once']), edits: [inSpend(unused)] },
  twice('a reset link has an end', inFind(endless), inSpend(endless), ['joining', 'reset: a link ends']),
  twice('a closed account has no reset link', { file: TOKENS, from: 'u.id = t.user_id and u.disabled_at is null\n   where t', to: 'u.id = t.user_id\n   where t' }, { file: TOKENS, from: 'and u.id = t.user_id and u.disabled_at is null\n  returning', to: 'and u.id = t.user_id\n  returning' }, ['joining', 'reset: a link ends']),
  plant('a newer reset link ends the older', [TOKENS, '  await people.query(END_OLDER, [userUuid, purpose])\n', ''], 'mail', 'reset: mail'),
  plant('an invitation is used once', ['src/store/people/members.ts', '   where id = $1 and accepted_at is null returning id`\n\nexport type OpenInvitation', '   where id = $1 returning id`\n\nexport type OpenInvitation'], 'guards', 'acceptInvitation: one'),
  plant('an invitation has an end', ['src/store/people/members.ts', 'where i.token_hash = $1 and i.accepted_at is null and i.expires_at > now()', 'where i.token_hash = $1 and i.accepted_at is null'], 'joining', 'so do seven days'),
  plant('an invitation that was used is not shown', ['src/store/people/members.ts', 'where i.token_hash = $1 and i.accepted_at is null and', 'where i.token_hash = $1 and'], 'joining', 'invitation'),
  plant('an invitation is for one address', [`${PEOPLE}/accept-invitation.ts`, 'if (user.email !== email)', "if (user.email === '')"], 'joining', 'for another address'),
  plant('an old invitation does not admit through the provider', ['src/store/people/members.ts', 'where i.email = $1 and i.accepted_at is null and i.expires_at > now()', 'where i.email = $1 and i.accepted_at is null'], 'oidc', 'somebody who is invited'),
  plant('the first account is made once', ['src/store/people/setup.ts', '   where token_hash = $1 and completed_at is null and not exists (select from users)\n  returning', '   where token_hash = $1\n  returning'], 'src/store/people/setup.db'),
  plant('the first account is offered once', ['src/store/people/setup.ts', '    where setup.completed_at is null and not exists (select from users)\n  returning only_one`\nconst IS_OPEN', '  returning only_one`\nconst IS_OPEN'], 'src/store/people/setup.db'),
  plant('the configured account is made once', ['src/store/people/setup.ts', '    where setup.completed_at is null and not exists (select from users)\n  returning only_one`\n\n/** False when there is nothing', '  returning only_one`\n\n/** False when there is nothing'], 'src/store/people/setup.db'),
  plant('a code of an authenticator is good once', ['src/domain/people/totp.ts', 'step > (lastStep ?? 0) && ', ''], 'sessions', 'second factor'),
  plant('a code of an authenticator is spent', [`${PEOPLE}/second-factor.ts`, '  await spendTotpStep(tx, user.uuid, step)\n', '  if (user.totpConfirmedAt === null) await spendTotpStep(tx, user.uuid, step)\n'], 'sessions', 'second factor'),
  plant('a recovery code is good once', ['src/store/people/users.ts', 'where user_id = $1 and used_at is null and (keyed', 'where user_id = $1 and (keyed'], 'sessions', 'second factor'),
  plant('of two with one code one is let in', ['src/store/people/users.ts', "where id = $1 and disabled_at is null for update`\n\n/** `email`", "where id = $1 and disabled_at is null`\n\n/** `email`"], 'guards', 'spent meanwhile'),
  plant('a code is for one half minute', ['src/domain/people/totp.ts', 'TOLERATED_STEPS = [0, -1, 1]', 'TOLERATED_STEPS = [0, -1, 1, -2, 2]'], 'src/domain/people/totp'),
  plant('an answer of a provider is for this sign-in', [OIDC, 'expectedNonce: nonce', `expectedNonce: ${TOKEN_CLAIMS}.nonce`], OIDC_TESTS, 'another nonce'),
  plant('an answer is of this provider', [OIDC, 'processAuthorizationCodeResponse(server,', 'processAuthorizationCodeResponse({ ...server, [oauth._expectedIssuer]: ({ claims }) => claims.iss },'], OIDC_TESTS, 'another issuer'),
  plant('an answer is for this client', [OIDC, 'const client = this.#registration\n      const tokens', `const client = { ...this.#registration, client_id: ${TOKEN_CLAIMS}.aud }\n      const tokens`], OIDC_TESTS, 'another client'),
  plant('an answer for several is made for this client', ['src/domain/people/id-token.ts', 'if (azp !== undefined && azp !== clientId)', "if (azp === '')"], 'src/domain/people/id-token'),
  plant('an answer has an end', [OIDC, '[oauth.clockTolerance]: LEEWAY_SECONDS', '[oauth.clockTolerance]: 1e9'], OIDC_TESTS, 'ended a minute ago'),
  plant('an answer is not of tomorrow', ['src/domain/people/id-token.ts', 'iat < latest', 'latest > 0'], 'src/domain/people/id-token'),
  plant('an answer does not count before its time', [OIDC, '[oauth.clockTolerance]: LEEWAY_SECONDS', '[oauth.clockTolerance]: 1e9'], OIDC_TESTS, 'not good yet'),
  plant('an answer is signed by the provider', [OIDC, '      await this.#assertSigned(server, response)\n', ''], 'src/outbound/oidc/provider', 'not signed by the provider'),
  plant('a provider does not choose how it signs', ['src/outbound/oidc/directory.ts', 'id_token_signing_alg_values_supported: ALGORITHMS', 'id_token_signing_alg_values_supported: document.id_token_signing_alg_values_supported'], OIDC_TESTS, 'ES256 is accepted'),
  plant('a provider is reached through the guard', ['src/outbound/oidc/directory.ts', '      [oauth.customFetch]: (url, init) => this.#fetch(new URL(url), init),\n', ''], 'src/outbound/oidc/provider', 'at public addresses'),
  plant('a provider leads into no private network', ['src/outbound/oidc/directory.ts', '=== this.#issuer.origin ? own : others', '=== this.#issuer.origin ? own : own'], 'src/outbound/oidc/provider', 'at public addresses'),
  plant('a provider is asked over https', ['src/outbound/oidc/directory.ts', "(url.protocol === 'https:' || url.origin === this.#issuer.origin)", "url.protocol !== ''"], 'src/outbound/oidc/provider', 'are not believed'),
  plant('an answer names somebody', ['src/domain/people/id-token.ts', "if (typeof sub !== 'string' || sub === ''", "if (typeof sub === 'number' || sub === 0"], 'src/domain/people/id-token'),
  plant('an address is proven', ['src/domain/people/id-token.ts', "!(isVerified === true || isVerified === 'true')", "isVerified === 'never'"], 'src/domain/people/id-token'),
]

const BY_PASSKEY = `${PEOPLE}/sign-in-by-passkey.ts`
const CHALLENGE = 'src/domain/people/passkey-challenge.ts'
const VERIFY = 'src/platform/crypto/passkey.ts'

// biome-ignore format: a table is read by its columns
const PASSKEYS: Plant[] = [
  plant('a challenge is answered once', [BY_PASSKEY, '  if (!(await spendChallenge(tx, locked.userUuid, answered))) return undefined\n', ''], 'passkeys', 'counts once'),
  plant('a challenge belongs to a browser', [CHALLENGE, '`${purpose} ${browser} `', '`${purpose} `'], 'passkeys', 'counts once'),
  plant('a challenge has a purpose', [CHALLENGE, '`${purpose} ${browser} `', '`${purpose.length === 0} ${browser} `'], 'src/domain/people/passkey'),
  plant('a challenge ends', [CHALLENGE, 'return endsAtMs > now.getTime() ? new Date(endsAtMs) : undefined', 'return new Date(endsAtMs)'], 'passkeys', 'has expired'),
  plant('a challenge is signed', [CHALLENGE, '  if (!timingSafeEqual(bytes.subarray(BODY_BYTES), sign(key, use, body))) return undefined\n', ''], 'passkeys', 'end cannot be moved'),
  plant('an answer names the owner of the passkey', [BY_PASSKEY, 'passkey === undefined || answer.userHandle !== toUserHandle(passkey.userUuid)', "passkey === undefined || toUserHandle('') === ' '"], 'passkeys', 'wrong with an answer'),
  plant('a passkey verifies its user', [VERIFY, 'requireUserVerification: true,\n      // The count', 'requireUserVerification: false,\n      // The count'], 'passkeys', 'wrong with an answer'),
  plant('a new passkey verifies its user', [VERIFY, 'requireUserVerification: true,\n      supported', 'requireUserVerification: false,\n      supported'], 'passkeys', 'wrong with a new one'),
  plant('a signature is judged', [VERIFY, 'return verified ? authenticationInfo.newCounter : undefined', 'return authenticationInfo.newCounter + (verified ? 0 : 0)'], 'passkeys', 'wrong with an answer'),
  plant('a copied passkey is refused', [BY_PASSKEY, '    onCopied(locked)\n    return undefined\n', '    onCopied(locked)\n'], 'passkeys', 'does not grow'),
  plant('wrong passkeys are counted', [`${PEOPLE}/password-limits.ts`, 'device === undefined ? [addressLimit(networkOf(address))]', 'device === undefined ? [addressLimit(networkOf(address))].slice(1)'], 'passkeys', 'counted like'),
  plant('an eleventh passkey is refused', [`${PEOPLE}/change-passkeys.ts`, '    requireRoom(user.passkeyCount)\n', ''], 'passkeys', 'eleventh'),
  plant('adding a passkey takes the password', [`${SIGN_IN}/passkeys.ts`, '    await proveAgain(people, user, body.current, visit)\n    requireRoom', '    requireRoom'], 'passkeys', 'added with the password'),
  plant('removing a passkey takes the password', [`${SIGN_IN}/passkeys.ts`, '    await proveAgain(people, user, body.current, visit)\n    const uuid', '    const uuid'], 'passkeys', 'added with the password'),
  plant('without a password the sign-in is recent', [`${PEOPLE}/prove-again.ts`, 'session !== undefined && isRecent(session, new Date())', "session !== undefined && typeof isRecent === 'function'"], 'passkeys', 'moments ago'),
  plant('nobody removes a passkey of others', ['src/store/people/passkeys.ts', 'delete from passkeys where user_id = $1 and id = $2 returning 1', 'delete from passkeys where id = $2 returning 1'], 'passkeys', 'nobody removes'),
  plant('a passkey is asked for after the password', ['src/domain/people/second-factor.ts', 'PASSKEY: passkeyCount > 0', 'PASSKEY: passkeyCount > 99'], 'passkeys', 'the password is half'),
]

// biome-ignore format: a table is read by its columns
const SESSIONS: Plant[] = [
  plant('a session ends after thirty days', ['src/store/people/sessions.ts', '     and s.expires_at > now()\n     and s.seen_at', '     and s.seen_at'], 'sessions', 'thirty days'),
  plant('a session ends after twelve idle hours', ['src/store/people/sessions.ts', '     and s.expires_at > now()\n     and s.seen_at > now() - make_interval(secs => $3)`', '     and s.expires_at > now() and $3::integer > 0`'], 'sessions', 'twelve hours'),
  plant('a closed account has no session', ['src/store/people/sessions.ts', "    join users u on u.id = s.user_id and u.disabled_at is null\n    left join", '    join users u on u.id = s.user_id\n    left join'], 'sessions', 'closed account'),
  plant('an organization that is gone has no members', ['src/store/people/sessions.ts', 'case when m.role is not null and o.id is not null then', 'case when m.role is not null then'], 'guards', 'that is gone'),
  plant('nobody ends a session of others', ['src/store/people/sessions.ts', 'delete from sessions where user_id = $1 and id = $2 returning id', 'delete from sessions where $1::uuid is not null and id = $2 returning id'], 'sessions', 'ends one of them'),
  plant('signing out ends the session itself', [`${SIGN_IN}/sign-in.ts`, '  if (visit.token !== undefined) await deleteByToken(visit.people, hashToken(visit.token))\n', ''], 'sign-in', 'signing out ends it'),
  plant('a second factor is not replaced without a code', [`${PEOPLE}/change-second-factor.ts`, "    if (user.totpConfirmedAt !== null)\n      throw new ApiError('conflict', 'A second", "    if (userUuid === '')\n      throw new ApiError('conflict', 'A second"], 'sessions', 'second factor'),
  plant('a second factor begins with the password', [`${SIGN_IN}/credentials.ts`, "    await proveAgain(people, user, body.current, visit)\n    const seed", '    const seed'], 'sessions', 'second factor'),
  plant('tying an identity takes the password', [`${SIGN_IN}/credentials.ts`, '    await proveAgain(visit.people, user, body.current, visit)\n', ''], 'oidc', 'password once more'),
  plant('a new password takes the old one', [`${PEOPLE}/change-password.ts`, '  await proveAgain(people, user, current, from)\n', ''], 'sessions', 'stolen session'),
  plant('a session alone chooses no first password', [`${PEOPLE}/change-password.ts`, 'if (user.passwordHash === null)', "if (user.email === '')"], 'sessions', 'stolen session'),
  plant('of two new passwords one is refused', [`${PEOPLE}/change-password.ts`, 'if (locked?.passwordHash !== user.passwordHash)', 'if (locked === undefined)'], 'guards', 'changePassword'),
  plant('removing a second factor takes a code', [`${PEOPLE}/change-second-factor.ts`, '      if (!(await isSecondFactor(tx, secrets, user, code))) return undefined\n      await drop', '      await drop'], 'sessions', 'removing it takes a code'),
  plant('a factor that was never confirmed proves nothing', [`${PEOPLE}/second-factor.ts`, 'user.totpConfirmedAt !== null && (await isTotp(', '(await isTotp('], 'guards', 'never confirmed'),
  plant('a closed account is not opened by a provider', ['src/store/people/users.ts', "where id = $1 and disabled_at is null for update`\n\n/** `email`", "where id = $1 for update`\n\n/** `email`"], 'oidc', 'closed account stays closed'),
  plant('nobody unties their only way in', [`${PEOPLE}/unlink-identity.ts`, 'if (user.passwordHash === null)', "if (user.email === '')"], 'oidc', 'only way in'),
  plant('a domain is allowed', [`${PEOPLE}/sign-in-by-provider.ts`, 'if (!isDomainAllowed(email, admission.allowedDomains))', "if (email === '')"], 'oidc', 'allowed domain'),
  plant('who comes by a provider was invited', [`${PEOPLE}/sign-in-by-provider.ts`, 'if (joins === undefined && !(await isInvited(tx, email)))', "if (email === '')"], 'oidc', 'oidc'),
]

// biome-ignore format: a table is read by its columns
const ROLES: Plant[] = [
  plant('a role is asked for', [`${PRIVATE}/private-api.ts`, 'if (!allows(membership.role, needed))', "if (needed === 'OWNER')"], 'matrix', 'createKey'),
  plant('every operation asks at the gate', [`${PRIVATE}/private-api.ts`, '  requireOpen(membership, passes)\n', ''], 'organization-settings', 'no operation of the organization'),
  plant('a gate is closed without a second factor', ['src/domain/people/organization-gate.ts', 'facts.requiresSecondFactor && !facts.hasSecondFactor', 'facts.requiresSecondFactor && facts.isDeleting'], 'organization-settings', 'no operation of the organization'),
  plant('a deletion closes the gate', ['src/domain/people/organization-gate.ts', "if (facts.isDeleting) gates.push('DELETION')", "if (facts.isDeleting && facts.requiresSecondFactor) gates.push('DELETION')"], 'organization-settings', 'for seven days'),
  plant('a deletion needs the name', ['src/domain/people/organization-deletion.ts', 'return typed.trim().normalize() === name.trim().normalize()', "return typed !== '' || name === ''"], 'organization-settings', 'needs an owner and the name'),
  plant('a second factor is required by someone who has one', ['src/domain/people/organization-gate.ts', 'if (!change.isRequired || change.hasSecondFactor) return undefined', 'if (change.isRequired || change.hasSecondFactor) return undefined'], 'organization-settings', 'only an owner requires it'),
  plant('a stream ends at the gate', ['src/store/people/sessions.ts', '        and (not o.requires_second_factor or ${hasSecondFactor})\n', ''], 'organization-settings', 'a stream that is open ends'),
  plant('roles have an order', ['src/domain/people/role.ts', 'return ROLES.indexOf(role) >= ROLES.indexOf(needed)', 'return ROLES.indexOf(role) >= 0 && ROLES.indexOf(needed) >= 0'], 'matrix', 'createKey'),
  plant('public writes are for members', ['src/contract/private/operation.ts', "who: write ? 'MEMBER' : 'READ_ONLY'", "who: 'READ_ONLY'"], 'matrix', 'createMonitor'),
  plant('a write needs a subscription', ['src/contract/private/operation.ts', 'needsSubscription: write && method !== \'DELETE\'', 'needsSubscription: false'], 'guards', 'without a subscription'),
  plant('nobody changes those above them', ['src/domain/people/role.ts', 'from !== null && !allows(by, from)', 'from === by && !allows(by, from)'], 'team', 'nobody gives more'),
  plant('nobody gives more than they have', ['src/domain/people/role.ts', 'to !== null && !allows(by, to)', 'to === by && !allows(by, to)'], 'team', 'nobody gives more'),
  plant('an organization keeps an owner', ['src/domain/people/role.ts', "if (from === 'OWNER' && to !== 'OWNER' && owners <= 1)", 'if (owners < 0)'], 'team', 'last owner: neither'),
  plant('the last owners do not go at once', ['src/store/people/members.ts', 'order by m.user_id for update of m', 'order by m.user_id'], 'team', 'last owner: also when'),
  plant('a closed account is no owner', ['src/actions/people/change-member.ts', "role === 'OWNER' && isOpen", "role === 'OWNER' && isOpen !== undefined"], 'team', 'account is closed'),
  plant('who is made less does nothing with what they were', ['src/actions/people/change-member.ts', "if (by === undefined || !(userUuid === byUuid || allows(by, 'ADMIN')))", 'if (by === undefined)'], 'team', 'role escalation'),
  plant('nobody invites above themselves', ['src/actions/people/invite.ts', '  if (refusal !== undefined) throw', "  if (refusal === '') throw"], 'guards', 'invite: nobody'),
  plant('a member is not invited again', ['src/actions/people/invite.ts', 'if (await isMember(tx, email))', "if (email === '' && (await isMember(tx, email)))"], 'joining', 'belongs to it already'),
  plant('only owners make organizations', [`${PEOPLE}/create-organization.ts`, "  if (model === undefined)\n    throw new ApiError('forbidden', 'Only an owner of an organization can make another one.')", "  if (model === undefined)\n    throw new ApiError('conflict', 'No model.')"], 'team', 'createOrganization: only for owners'),
  plant('twenty organizations at most', [`${PEOPLE}/create-organization.ts`, 'MAX_OWNED = 20', 'MAX_OWNED = 2000'], 'team', 'twenty at most'),
  plant('organizations are counted one by one', [`${PEOPLE}/create-organization.ts`, '  await lockUser(tx, ownerUuid)\n', ''], 'team', 'createOrganization'),
  plant('a removed member gets nothing more', ['src/store/people/sessions.ts', '       join members m on m.user_id = u.id and m.org_id = f.org_id\n       join organizations o on o.id = m.org_id and', '       join organizations o on o.id = f.org_id and'], 'streams', 'ends within seconds'),
  plant('the audit log keeps no secret', ['src/api/http/audited.ts', 'sealed === undefined ? plain(values[name]) : secret(values[name])', 'plain(values[name])'], 'audit-log', 'no secret'),
  plant('URLs in the audit log have no credentials', ['src/domain/people/audit-entry.ts', '  for (const name of secrets) url.searchParams.set(name, HIDDEN)\n', ''], 'audit-log', 'no secret'),
  plant('old values are those that were replaced', ['src/actions/monitors/update.ts', 'const before = await monitors.lockMonitor(tx, uuid)', 'const before = await monitors.findMonitor(tx, uuid)'], 'audit-log', 'at the same time'),
  plant('only a full key is for assistants that write', [`${PRIVATE}/keys.ts`, "  if (mcpWrites && access !== 'FULL') throw needsFullAccess()\n", ''], 'team', 'marked for assistants'),
  plant('only admins see who has no second factor', [`${PRIVATE}/organization.ts`, 'secondFactor: isAdmin ? secondFactor : null', 'secondFactor'], 'audit-log', 'only admins see'),
]

export const PLANTS: readonly Plant[] = [
  ...FIXATION,
  ...CSRF,
  ...REDIRECT,
  ...ENUMERATION,
  CLOSED,
  ...BRUTE_FORCE,
  ...REUSE,
  ...PASSKEYS,
  ...SESSIONS,
  ...ROLES,
]
