import { expect, test } from 'vitest'
import { suggestName } from './diagnostics.ts'

test.for<[name: string, known: readonly string[], suggested: string | undefined]>([
  ['endswiht', ['contains', 'startswith', 'endswith'], 'endswith'],
  // A swap of two neighbours is one edit, which is all that a short name may have.
  ['levle', ['level'], 'level'],
  ['id', ['di'], 'di'],
  ['ruel', ['role', 'rule'], 'rule'],
  ['LEVLE', ['level'], 'level'],
  ['elvle', ['level'], undefined],
  ['gtl', ['lt'], undefined],
  ['status', [], undefined],
  ['x'.repeat(65), ['x'.repeat(64)], undefined],
])('%j among %j', ([name, known, suggested]) => {
  expect(suggestName(name, known)).toBe(suggested === undefined ? undefined : `did you mean '${suggested}'?`)
})
