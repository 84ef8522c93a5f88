import assert from 'node:assert/strict'
import { test } from 'node:test'
import { downFromText } from './each-text.ts'
import {
  type EachVerdict,
  lowerMedian,
  type RegionAnswer,
  type RegionOutcome,
  verdictOfEach,
} from './each-verdict.ts'

const REGIONS = 10
const answersOf = (...groups: [RegionOutcome, number][]): RegionAnswer[] =>
  groups
    .flatMap(([outcome, count]) => Array.from({ length: count }, () => outcome))
    .map((outcome, i) => ({ region: `r${i}`, outcome, hasPassed: true }))

type Case = {
  count: number
  downWhen: number | null
  failed: number
  passed: number
  isLastRound: boolean
}

// Written from the other side: what could the regions without a verdict still say? If every possible ending has the same
// verdict, that is it.
function oracle({ count, downWhen, failed, passed, isLastRound }: Case): EachVerdict {
  if (count === 0) return 'NO_VERDICT'
  let needed = 1
  if (downWhen !== null) needed = downWhen > count ? count : downWhen
  else while (2 * needed <= count) needed++
  const silent = count - failed - passed
  const endings = new Set<EachVerdict>()
  for (let more = 0; more <= silent; more++)
    endings.add(failed + more >= needed ? 'DOWN' : 'NOT_DOWN')
  const [only] = endings
  if (endings.size === 1 && only !== undefined) return only
  if (!isLastRound) return 'ASK_AGAIN'
  if (passed > 0) return 'NOT_DOWN'
  return failed > 0 ? 'DOWN' : 'NO_VERDICT'
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, n) => n)

/** Every number of regions, and every way in which they can answer. */
const SPLITS = upTo(REGIONS).flatMap((count) =>
  upTo(count).flatMap((failed) =>
    upTo(count - failed).map((passed) => ({ count, failed, passed })),
  ),
)
const answersTo = ({ count, failed, passed }: (typeof SPLITS)[number]) =>
  answersOf(['FAILED', failed], ['OK', passed], ['NONE', count - failed - passed])

test('every number of regions, failures, passes and needed failures, in both rounds', () => {
  const cases = SPLITS.flatMap((split) =>
    [null, ...upTo(REGIONS).slice(1)].flatMap((downWhen) =>
      [false, true].map((isLastRound): Case => ({ ...split, downWhen, isLastRound })),
    ),
  )
  const seen = cases.map((one) => {
    const verdict = verdictOfEach(answersTo(one), one)
    assert.equal(verdict, oracle(one), JSON.stringify(one))
    return verdict
  })
  assert.equal(seen.length, 6292)
  assert.equal(new Set(seen).size, 4)
})

test('the last round always ends, and never says DOWN against a majority that passes', () => {
  for (const split of SPLITS) {
    const verdict = verdictOfEach(answersTo(split), { downWhen: null, isLastRound: true })
    assert.notEqual(verdict, 'ASK_AGAIN')
    if (split.passed * 2 > split.count) assert.equal(verdict, 'NOT_DOWN', JSON.stringify(split))
  }
})

const answer = (region: string, outcome: RegionOutcome, hasPassed = true): RegionAnswer => {
  return { region, outcome, hasPassed }
}
const NEW = false
type Row = [why: string, answers: RegionAnswer[], verdict: EachVerdict, text: string]
// biome-ignore format: a table is read by its columns
const ROWS: Row[] = [
  ['one of three fails',              [answer('eu', 'OK'), answer('us', 'FAILED'), answer('ap', 'OK')],
    'NOT_DOWN', 'Down from 1 of 3 regions: us. Up from eu and ap'],
  ['two of three fail',               [answer('eu', 'FAILED'), answer('us', 'FAILED'), answer('ap', 'OK')],
    'DOWN', 'Down from 2 of 3 regions: eu and us. Up from ap'],
  ['one fails, one says nothing',     [answer('eu', 'OK'), answer('us', 'FAILED'), answer('ap', 'NONE')],
    'ASK_AGAIN', 'Down from 1 of 3 regions: us. Up from eu. No answer from ap'],
  ['a new region fails, others pass', [answer('eu', 'OK'), answer('us', 'OK'), answer('ap', 'FAILED', NEW)],
    'NOT_DOWN', 'Down from 0 of 2 regions. Up from eu and us. Never reached from ap'],
  ['it is not counted among two',     [answer('eu', 'OK'), answer('us', 'FAILED', NEW), answer('ap', 'FAILED', NEW)],
    'NOT_DOWN', 'Down from 0 of 1 region. Up from eu. Never reached from us and ap'],
  ['nothing was ever reached',        [answer('eu', 'FAILED', NEW), answer('us', 'FAILED', NEW)],
    'DOWN', 'Down from 2 of 2 regions: eu and us'],
  ['the only one that knows is lost', [answer('eu', 'NONE'), answer('us', 'FAILED', NEW), answer('ap', 'FAILED', NEW)],
    'DOWN', 'Down from 2 of 3 regions: us and ap. No answer from eu'],
  ['one alone',                       [answer('eu', 'FAILED')],
    'DOWN', 'Down from 1 of 1 region: eu'],
]
for (const [why, answers, verdict, text] of ROWS)
  test(`several regions: ${why}`, () => {
    assert.equal(verdictOfEach(answers, { downWhen: null, isLastRound: false }), verdict)
    assert.equal(downFromText(answers, []), text)
  })

test('the text names regions without a probe, which are not counted', () => {
  const text = downFromText([answer('eu', 'FAILED'), answer('us', 'OK')], ['ap', 'sa'])
  assert.equal(text, 'Down from 1 of 2 regions: eu. Up from us. No probe in ap and sa')
})

test('the lower median', () => {
  assert.equal(lowerMedian([]), null)
  assert.equal(lowerMedian([7]), 7)
  assert.equal(lowerMedian([9, 1]), 1)
  assert.equal(lowerMedian([30, 200, 100]), 100)
  assert.equal(lowerMedian([4, 3, 2, 1]), 2)
})
