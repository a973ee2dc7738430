import type { Context } from '../framework/context.ts'
import { limits } from '../limits.ts'
import type { Input } from './open-input.ts'

const barWidth = 24
const clearLine = '\r\u001b[K'

/** A bar on stderr that shows how far the input has been read; nothing at all where stderr is no terminal. */
export class Progress {
  readonly #input: Input
  readonly #context: Context
  readonly #startedAt: number
  #drawnAt = -Infinity
  #isShown = false

  constructor(input: Input, context: Context) {
    this.#input = input
    this.#context = context
    this.#startedAt = context.now()
  }

  /** Draws the bar unless it was drawn a moment ago; other output needs `clear` first. */
  draw(eventCount: number): void {
    const { isTty, now, stderr } = this.#context
    if (!isTty || now() - this.#drawnAt < limits.progressIntervalMs) return
    this.#drawnAt = now()
    this.#isShown = true
    const eventsPerSecond = Math.round(eventCount / Math.max(0.001, (now() - this.#startedAt) / 1000))
    stderr.write(`${clearLine}${this.#bytes()}  ${eventsPerSecond.toLocaleString('en')} events/s`)
  }

  clear(): void {
    if (!this.#isShown) return
    this.#isShown = false
    this.#context.stderr.write(clearLine)
  }

  #bytes(): string {
    const { bytesRead, bytesTotal } = this.#input
    if (bytesTotal === undefined || bytesTotal === 0) return formatMebibytes(bytesRead())
    const share = Math.min(1, bytesRead() / bytesTotal)
    const bar = '#'.repeat(Math.round(share * barWidth)).padEnd(barWidth, '-')
    return `[${bar}] ${Math.floor(share * 100)}%  ${formatMebibytes(bytesRead())} of ${formatMebibytes(bytesTotal)}`
  }
}

/** A line on stderr that says what is being done; nothing where stderr is no terminal, and gone at the end. */
export class StatusLine {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  show(text: string): void {
    if (this.#context.isTty) this.#context.stderr.write(clearLine + text)
  }

  clear(): void {
    this.show('')
  }
}

function formatMebibytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MiB`
}
