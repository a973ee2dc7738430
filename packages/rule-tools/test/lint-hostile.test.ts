import { hostilePlaceholders } from '@tripline/engine/test/hostile/hostile-items'
import { hostileRules } from '@tripline/engine/test/hostile/hostile-rules'
import { expectProcessorTime, getThreadCpuMs } from '@tripline/engine/test/processor-time'
import { expect, test } from 'vitest'
import { fixRules, limits, lintRules } from '../src/index.ts'

/** The compiler may take a second for each of these rules; lint compiles them too. */
const durationMax = 3_000

const options = { placeholders: hostilePlaceholders }

test.for(hostileRules)('%s', ([, text]) => {
  const source = { path: 'hostile.yml', text: text() }
  const startedMs = getThreadCpuMs()
  const [report] = lintRules([source], options)
  expectProcessorTime(getThreadCpuMs() - startedMs, durationMax, 'linting took too long')
  const findings = report?.findings ?? []
  expect(findings.length).toBeLessThanOrEqual(limits.lintFindingsMax + 1)
  expect(Math.max(0, ...findings.map(({ message }) => message.length))).toBeLessThan(2_000)
  if (findings.some(({ fix }) => fix?.isSafe)) {
    const fixed = fixRules(source, options)
    expect(fixed.text === source.text).toBe(fixed.fixed.length === 0)
  }
})

test('fixes a list of many equal values within the round limit', () => {
  const values = '      - bob\n'.repeat(3_000)
  const text = `title: a\nlogsource: { category: x }\ndetection:\n  selection:\n    User:\n${values}  condition: selection\n`
  const startedMs = getThreadCpuMs()
  const { fixed } = fixRules({ text }, { check: ['VALUE_REPEATED'] })
  expectProcessorTime(getThreadCpuMs() - startedMs, 10_000)
  expect(fixed.length).toBeGreaterThan(100)
})
