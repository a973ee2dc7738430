import type { Writable } from 'node:stream'
import type { MalformedLine } from '@tripline/engine'
import { escapeControl } from '../framework/escape-control.ts'
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

  report(malformed: readonly MalformedLine[]): void {
    for (const { line, reason } of malformed) {
      if (this.#count++ < limits.malformedShownMax) this.#stderr.write(`tripline: line ${line} skipped: ${escapeControl(reason)}\n`)
    }
  }

  /** Reports the total at the end of the input. */
  reportTotal(): void {
    if (this.#count === 0) return
    const hidden = Math.max(0, this.#count - limits.malformedShownMax)
    const rest = hidden === 0 ? '' : `, ${hidden} of them not shown`
    this.#stderr.write(`tripline: ${printCount(this.#count)} skipped${rest}; `
      + 'lines count from 0, as in the output\n')
  }
}

/** Reports how many malformed lines a measurement skipped, if any. */
export function reportSkippedLines(count: number, stderr: Writable): void {
  if (count > 0) stderr.write(`tripline: ${printCount(count)} skipped; 'tripline detect' lists them\n`)
}

function printCount(malformed: number): string {
  return `${malformed} malformed ${malformed === 1 ? 'line' : 'lines'}`
}
