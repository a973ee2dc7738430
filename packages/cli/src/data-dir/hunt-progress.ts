import type { HuntOptions } from '@tripline/server/events'
import type { Context } from '../framework/context.ts'
import { limits } from '../limits.ts'

/** A signal that Ctrl-C aborts. */
export function createAbortSignal({ interrupted, isTty }: Context): AbortSignal {
  const controller = new AbortController()
  // A pipe gets whole results only.
  if (isTty) void interrupted().then(() => controller.abort())
  return controller.signal
}

/** The progress of a hunt, on stderr if that is a terminal. */
export class HuntProgressBar {
  readonly #range: { readonly from: number; readonly to: number }
  readonly #context: Context
  #drawnAt = -Infinity

  constructor(range: { readonly from: number; readonly to: number }, context: Context) {
    this.#range = range
    this.#context = context
  }

  readonly draw: NonNullable<HuntOptions['onProgress']> = ({ at, eventCount, matchCount }) => {
    const { isTty, now, stderr } = this.#context
    if (!isTty || now() - this.#drawnAt < limits.progressIntervalMs) return
    this.#drawnAt = now()
    const { from, to } = this.#range
    const percent = Math.floor((100 * (at - from)) / Math.max(1, to - from))
    stderr.write(`\r\u001b[K${percent} %  ${eventCount.toLocaleString('en')} events, ${matchCount.toLocaleString('en')} matches`)
  }

  clear(): void {
    if (this.#drawnAt !== -Infinity) this.#context.stderr.write('\r\u001b[K')
  }
}
