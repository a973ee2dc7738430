import { expect, test } from 'vitest'
import { isAtLeastVersion } from './node-version.ts'

test.for<[version: string, needed: string, isEnough: boolean]>([
  ['24.12.0', '24.12', true],
  ['24.11.9', '24.12', false],
  ['26.0.0', '24.12', true],
  ['24.9.0', '24.12', false],
  ['22.23.3', '24.12', false],
])('%s is at least %s: %s', ([version, needed, isEnough]) => {
  expect(isAtLeastVersion(version, needed)).toBe(isEnough)
})
