import { expect, test } from 'vitest'
import { computeTotpCode, findTotpStep } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

// Appendix B of RFC 6238, the last six of its eight digits.
test.for<[seconds: number, code: string]>([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i s the code is %s', ([seconds, code]) => {
  expect(computeTotpCode(secret, Math.floor(seconds / 30))).toBe(code)
  expect(findTotpStep(secret, code, seconds * 1_000)).toBe(Math.floor(seconds / 30))
})

test.for<[step: number, isGood: boolean]>([[98, false], [99, true], [100, true], [101, true], [102, false]])(
  'in step 100 the code of step %i is good: %s', ([step, isGood]) => {
    expect(findTotpStep(secret, computeTotpCode(secret, step), 100 * 30_000)).toBe(isGood ? step : undefined)
  })

test.for<[code: string]>([[''], ['28708'], ['2870820'], [' 287082'], ['\u0662\u0668\u0667\u0660\u0668\u0662']])('%j is no code', ([code]) => {
  expect(findTotpStep(secret, code, 59_000)).toBeUndefined()
})
