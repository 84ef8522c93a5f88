// `upvane region remove`: a region that was closed or renamed.
import { findRegionStatus, removeProbes } from '../../store/operating/probes.ts'
import { recordCommand } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { required, UsageError } from '../cli/flags.ts'
import { push } from './probes.ts'

export async function removeRegion(context: CommandContext) {
  const { engine, config } = context
  const flags = context.argument(0, 'region')
  const region = required(flags, 'region')
  const revoked = await engine.transaction(undefined, async (tx) => {
    const status = await findRegionStatus(tx, region)
    if (status?.hasProbes !== true)
      throw new UsageError(`No probe is known in ${region}. Try upvane region list.`)
    if (status.isHome)
      throw new UsageError(
        `${region} is the home of an organization. Choose another one first: upvane org set-region.`,
      )
    if (status.isLive && flags['force'] !== true)
      throw new UsageError(`A probe is live in ${region}. Stop it first, or add --force.`)
    const names = await removeProbes(tx, region)
    await recordCommand(tx, { action: 'region remove', detail: { region, revoked: names } })
    return names
  })
  return { region, revoked, ...(revoked.length > 0 && (await push(engine, config))) }
}
