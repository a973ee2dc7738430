import { expect, it } from 'vitest'
import { estimateProgramSize } from './estimate-program-size.ts'
import { compileRe2 } from './re2.ts'

const flags = { ignoresCase: false, isMultiline: false, dotMatchesNewline: false }

/** Expressions whose compiled size the estimate must not understate by more than half. */
const sources: readonly string[] = [
  'abc', '^(?:abc|def)1[a-z]{3,9}x$', 'a{1000}', '(?:a{10}){90}', '(?:(?:(?:a1|b){1,10}c){1,10}d){1,9}', String.raw`\p{L}{50,}x`,
  '(a|b|c)*d+e?', 'x{0}', '(?:ab){3,}', String.raw`[\]{3}]{7}`, String.raw`\{3}`, '((((a{2}){2}){2}){2}){2}', 'a{3}{2}'.slice(0, 4),
]

it.each(sources)('estimates the program size of %s', (source) => {
  const actual = compileRe2({ kind: 'regex', source, ...flags }).programSize()
  expect(estimateProgramSize(source)).toBeGreaterThanOrEqual((actual - 4) / 2)
  expect(estimateProgramSize(source)).toBeLessThanOrEqual(actual * 4)
})

it('estimates nested repetitions without compiling them', () => {
  expect(estimateProgramSize(`${'('.repeat(40)}a${'){1000}'.repeat(40)}`)).toBeGreaterThan(1e11)
  expect(estimateProgramSize('a{100}{100}')).toBeGreaterThan(10_000)
})
