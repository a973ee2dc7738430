import { limits } from '@tripline/pool'
import { usageError } from '../framework/command-error.ts'

/**
 * Reads the value of `--jobs`: a number of threads, or `auto` and 0 for one on each core.
 *
 * @throws ExitError (2) when it is something else.
 */
export function parseJobs(text: string, coreCount: number): number {
  const count = text === 'auto' ? 0 : Number(text)
  if (!/^(?:auto|\d+)$/.test(text) || count > limits.jobsMax) {
    throw usageError(`option '--jobs' is '${text}'; it takes auto or a number from 0 to ${limits.jobsMax}`)
  }
  return count === 0 ? Math.min(coreCount, limits.jobsMax) : count
}
