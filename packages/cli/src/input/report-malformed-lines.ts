import { ExitError, exitCodes } from '@tripline/common/exit-error'
import type { Writable } from 'node:stream'
import { escapeControl } from '../framework/escape-control.ts'
import type { LinePlace } from '../framework/line-place.ts'
import { readNumber } from '../framework/parse-number.ts'
import { limits } from '../limits.ts'

/** Counts malformed lines, and reports the first ones on stderr. */
export class MalformedLineReporter {
  readonly #stderr: Writable
  #count = 0

  constructor(stderr: Writable) {
    this.#stderr = stderr
  }

  get count(): number {
    return this.#count
  }

  report(malformed: readonly ({ readonly reason: string } & LinePlace)[]): void {
    for (const { line, reason, path } of malformed) {
      const file = path === undefined ? '' : `${escapeControl(path)}: `
      if (this.#count++ < limits.malformedShownMax) this.#stderr.write(`tripline: ${file}line ${line} skipped: ${escapeControl(reason)}\n`)
    }
  }

  /** Reports the total at the end of the input. */
  reportTotal(): void {
    if (this.#count === 0) return
    const hidden = Math.max(0, this.#count - limits.malformedShownMax)
    const rest = hidden === 0 ? '' : `, ${hidden} of them not shown`
    this.#stderr.write(`tripline: ${printCount(this.#count)} skipped${rest}\n`)
  }
}

/** Reads `--allow-malformed`; undefined without it. */
export function parseAllowedShare(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readNumber('--allow-malformed', text, { min: 0, max: 1 })
}

/**
 * Ends a run whose input was not what it should be: more malformed lines than allowed or, without a bound, nothing else.
 *
 * @throws ExitError (65)
 */
export function checkMalformedShare(
  { malformedCount, eventCount }: { readonly malformedCount: number; readonly eventCount: number }, allowed: number | undefined,
): void {
  const lineCount = malformedCount + eventCount
  if (malformedCount === 0) return
  if (allowed === undefined) {
    if (eventCount > 0) return
    const advice = 'state the format with --input-format, or allow this with --allow-malformed 1'
    throw new ExitError(exitCodes.noData, `no line of the input holds an event: ${printCount(malformedCount)}; ${advice}`)
  }
  const share = malformedCount / lineCount
  if (share <= allowed) return
  const message = `${malformedCount} of ${lineCount} lines are malformed, a share of ${share.toFixed(3)}; --allow-malformed is ${allowed}`
  throw new ExitError(exitCodes.noData, message)
}

/** Reports how many malformed lines a measurement skipped, if any. */
export function reportSkippedLines(count: number, stderr: Writable): void {
  if (count > 0) stderr.write(`tripline: ${printCount(count)} skipped; 'tripline detect' lists them\n`)
}

function printCount(malformed: number): string {
  return `${malformed} malformed ${malformed === 1 ? 'line' : 'lines'}`
}
