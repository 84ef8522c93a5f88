// Finds out which faults of a world a violation needs: what it does without is left out.
import { type Report, type SimulationOptions, simulate } from './simulate.ts'
import { FAULTS, type Fault } from './world.ts'

type Shrunk = {
  /** The faults that are needed. */
  needed: readonly Fault[]
  /** In the world with nothing else. */
  violations: readonly string[]
}

export async function shrink(options: SimulationOptions, first: Report): Promise<Shrunk> {
  const rules = new Set(first.violations.map(ruleOf))
  let leftOut: readonly Fault[] = []
  let { violations } = first
  for (const fault of FAULTS) {
    const fewer = [...leftOut, fault]
    const found = await simulate({ ...options, leftOut: fewer })
    if (!found.violations.some((text) => rules.has(ruleOf(text)))) continue
    leftOut = fewer
    violations = found.violations
  }
  return { needed: FAULTS.filter((fault) => !leftOut.includes(fault)), violations }
}

const ruleOf = (violation: string) => violation.split(' ')[0]
