import { compileRules } from '@tripline/engine'
import { expect, test } from 'vitest'
import { curlEvent, curlRule, rootEvent } from '../../test/sample-rules.ts'
import { timeJobsRound } from './benchmark-jobs.ts'
import type { JobsBenchmark } from './benchmark-jobs.ts'
import { createSample } from './event-sample.ts'

const lines = [curlEvent, rootEvent, curlEvent, curlEvent]

/** Its clock advances by 1 ms a look. */
function makeTrial(): JobsBenchmark {
  let now = 0
  return {
    ruleSet: compileRules([{ path: 'curl.yml', text: curlRule }]).ruleSet,
    sample: createSample(lines),
    events: {},
    jobs: 2,
    now: () => (now += 1),
    collectGarbage: () => {},
  }
}

test.for([0, 1])('round %i times both pools and leaves the sample whole', async (number) => {
  const trial = makeTrial()
  const answers = { matchCount: 3, timedMatchCount: 2, plainCount: 0 }
  expect(await timeJobsRound(trial, number, answers)).toEqual({ oneMs: 1, severalMs: 1 })
  const texts = [...trial.sample.seen, ...trial.sample.timed].map(({ bytes }) => new TextDecoder().decode(bytes))
  expect(texts.join('')).toBe(`${lines.join('\n')}\n`)
})

test.for<[matchCount: number, timedMatchCount: number, number: number, message: string]>([
  [2, 2, 0, 'one worker found 1 matches instead of 0'],
  [3, 1, 0, 'one worker found 1 matches instead of 2'],
  [4, 3, 1, '2 workers found 2 matches instead of 3'],
])('%i matches, %i of them timed, in round %i: %s', async ([matchCount, timedMatchCount, number, message]) => {
  const answers = { matchCount, timedMatchCount, plainCount: 0 }
  await expect(timeJobsRound(makeTrial(), number, answers)).rejects.toThrow(message)
})
