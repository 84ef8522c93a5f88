// A plan as JSON: for programs, and to be applied later exactly as it was shown. No hidden value is in it.
import { canonical, isObject, type JsonObject, type JsonValue, sha256 } from '../model/json.ts'
import {
  type ConfigPlan,
  countSteps,
  estimateRequests,
  type PlannedStep,
  type PlanOptions,
} from './plan.ts'
import { secondsFor } from './render-text.ts'
import { keysOf, showChange } from './shown-changes.ts'

const VERSION = 1

export function toPlanJson(plan: ConfigPlan, options: PlanOptions): JsonObject {
  const requests = estimateRequests(plan)
  const keys = keysOf(plan.steps)
  const shown = (step: PlannedStep): PlannedStep => ({
    ...step,
    changes: step.changes.map((change) => showChange(change, keys)),
  })
  return {
    version: VERSION,
    source: plan.source,
    fingerprint: fingerprintOf(plan),
    options: { ...options, maxRemovals: options.maxRemovals ?? null },
    counts: countSteps(plan),
    requests,
    seconds: secondsFor(requests),
    refusals: plan.refusals,
    steps: plan.steps
      .filter(({ action, refusal }) => action !== 'none' || refusal !== null)
      .map((step) => toStepJson(shown(step))),
  }
}

function toStepJson(step: PlannedStep): JsonObject {
  const { address, action, id, name, notes, drift, refusal } = step
  return {
    address,
    action,
    id,
    name,
    changes: step.changes.map(({ path, from, to, hidden }) =>
      hidden ? { path, hidden } : { path, from: from ?? null, to: to ?? null },
    ),
    notes,
    drift,
    refusal,
  }
}

/** The same only if an apply would do the same to resources that have not changed since. */
export function fingerprintOf({ source, revision, steps }: ConfigPlan): string {
  const moving = steps.map((step): JsonValue => {
    const { notes: _notes, drift: _drift, ...rest } = toStepJson(step)
    return { ...rest, updatedAt: step.live?.updatedAt ?? null }
  })
  return sha256(String(VERSION), source, String(revision), canonical(moving))
}

export type SavedPlan = { fingerprint: string; options: PlanOptions }

/** Undefined if the text is not a saved plan. */
export function readSavedPlan(text: string): SavedPlan | undefined {
  try {
    const saved = JSON.parse(text) as unknown
    if (!isObject(saved) || saved['version'] !== VERSION) return undefined
    const { fingerprint, options } = saved
    if (typeof fingerprint !== 'string' || !isObject(options)) return undefined
    return { fingerprint, options: readOptions(options) }
  } catch {
    return undefined
  }
}

function readOptions(saved: JsonObject): PlanOptions {
  const { prune, maxRemovals, adopt, allowTwins, recreate, writeSecrets } = saved
  return {
    prune: prune === 'delete' || prune === 'pause' ? prune : 'keep',
    maxRemovals: typeof maxRemovals === 'number' ? maxRemovals : undefined,
    adopt: adopt === true,
    allowTwins: allowTwins === true,
    recreate: recreate === true,
    writeSecrets: writeSecrets === true,
  }
}
