import { expect, test } from 'vitest'
import { parseJobs } from './parse-jobs.ts'

test.for<[text: string, coreCount: number, jobs: number]>([
  ['1', 8, 1],
  ['3', 2, 3],
  ['64', 2, 64],
  ['0', 8, 8],
  ['auto', 8, 8],
  ['auto', 1, 1],
  ['auto', 256, 64],
])('--jobs %s on %i cores', ([text, coreCount, jobs]) => {
  expect(parseJobs(text, coreCount)).toBe(jobs)
})

test.for(['65', '-1', '1.5', '1e1', '0x2', 'all', ' 2'])(`--jobs '%s' is refused`, (text) => {
  expect(() => parseJobs(text, 8)).toThrow(`option '--jobs' is '${text}'; it takes auto or a number from 0 to 64`)
})
