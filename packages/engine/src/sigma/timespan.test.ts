import { expect, test } from 'vitest'
import { parseTimespan, printTimespan } from './timespan.ts'

test.for<[text: string, ms: number | undefined]>([
  ['1s', 1_000], ['30s', 30_000], ['5m', 300_000], ['1h', 3_600_000], ['7d', 604_800_000], ['2w', 1_209_600_000],
  ['1M', 2_629_746_000], ['1y', 31_556_952_000], ['01m', 60_000], ['1 h', 3_600_000], [' 1h ', 3_600_000],
  ['999999999s', 999_999_999_000],
  ['', undefined], ['90', undefined], ['s', undefined], ['0s', undefined], ['-1h', undefined], ['1.5h', undefined],
  ['1H', undefined], ['1ms', undefined], ['1h30m', undefined], ['1e3s', undefined], ['١s', undefined], ['1000000000s', undefined],
  ['999999999y', undefined],
])("parses '%s' to %s ms", ([text, ms]) => {
  expect(parseTimespan(text)).toBe(ms)
})

test.for<[ms: number, text: string]>([
  [1_000, '1s'], [90_000, '90s'], [300_000, '5m'], [86_400_000, '1d'], [604_800_000, '7d'], [1_500, '1500ms'],
])('prints %s ms as %s', ([ms, text]) => {
  expect(printTimespan(ms)).toBe(text)
})
