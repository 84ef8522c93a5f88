// The first account of an installation.
import { beginSetup, setUpFromConfig } from '../../actions/people/set-up.ts'
import { passwordProblem } from '../../domain/people/sign-in.ts'
import { PATHS } from '../../domain/values/dashboard-paths.ts'
import { comparable, parseEmailAddress } from '../../domain/values/email-address.ts'
import type { Database } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import type { Context } from '../context.ts'

/** Creates the first account from the configuration, or logs a link that creates it. */
export async function createFirstAccount(
  { config, log }: Context,
  people: Database,
  secrets: OrganizationSecrets,
): Promise<void> {
  const { admin, baseUrl } = config
  if (admin !== undefined) {
    const { password, organization } = admin
    const email = comparable(parseEmailAddress(admin.email) ?? admin.email)
    const problem = passwordProblem(password, { email })
    const [name = email] = email.split('@')
    const person = { email, name, password, organization }
    if (problem !== undefined) log.error(`ADMIN_PASSWORD is ignored: it ${problem}`)
    else if (await setUpFromConfig({ people, secrets }, person))
      log.info({ email }, 'first account made')
  }
  const token = await beginSetup(people)
  if (token === undefined) return
  const link = `${baseUrl}${PATHS.setUp}#${token}`
  log.warn({ link }, 'no account yet: open this link to create the first one')
  if (process.stderr.isTTY)
    process.stderr.write(
      `\n  No account yet. Create the first one with this link:\n\n    ${link}\n\n`,
    )
}
