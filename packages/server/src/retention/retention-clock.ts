import type { Runtime } from '@tripline/common/runtime'
import { limits } from '../limits.ts'

/**
 * Instants that the clock is compared with; undefined where there is none. They are read before a process stamps anything: events
 * that it dates by a wrong clock say nothing about the clock.
 */
type ClockEvidence = {
  /** The last retention run, of any process. */
  readonly lastRunAt: number | undefined
  /** The time of the newest accepted event. */
  readonly newestEventAt: number | undefined
}

/** The verdict on the clock: the problem, or undefined where data may be deleted by age. */
type ClockVerdict = { readonly nowMs: number; readonly problem: string | undefined }

/**
 * Decides whether the clock is plausible enough to delete data by age. Within a process the clock must agree with a monotonic
 * clock; across processes it may be ahead of the last run, or else of the newest event, only by the time that a server may
 * have been down.
 */
export class RetentionClock {
  readonly #clock: Pick<Runtime, 'now' | 'elapsedMs'>
  /** The true time as the operator stated it. */
  readonly #trustedAt: number | undefined
  readonly #evidence: ClockEvidence
  readonly #start: ClockReading
  /** The clocks at the last run whose verdict was good. */
  #last: ClockReading | undefined
  #problem: string | undefined

  /** `evidence`: of the start of the process; default: there is none. */
  constructor(
    clock: Pick<Runtime, 'now' | 'elapsedMs'>,
    trustedAt?: number,
    evidence: ClockEvidence = { lastRunAt: undefined, newestEventAt: undefined },
  ) {
    this.#clock = clock
    this.#trustedAt = trustedAt
    this.#evidence = evidence
    this.#start = { at: clock.now(), elapsedMs: clock.elapsedMs() }
  }

  /** The problem that the last check found. */
  get problem(): string | undefined {
    return this.#problem
  }

  check(): ClockVerdict {
    const reading = { at: this.#clock.now(), elapsedMs: this.#clock.elapsedMs() }
    this.#problem = this.#findProblem(reading)
    if (this.#problem === undefined) this.#last = reading
    return { nowMs: reading.at, problem: this.#problem }
  }

  #findProblem(now: ClockReading): string | undefined {
    // A start with a wrong clock says nothing: the clock may have been corrected since.
    const isStartGood = this.#findGap(this.#start) === undefined
    const base = this.#last ?? (isStartGood ? this.#start : undefined)
    if (base === undefined) return this.#findGap(now)
    const jumpMs = now.at - base.at - (now.elapsedMs - base.elapsedMs)
    if (Math.abs(jumpMs) <= limits.retention.clockJumpMsMax) return undefined
    return `the clock jumped by ${printHours(jumpMs)} while the server ran`
  }

  #findGap(now: ClockReading): string | undefined {
    const { clockJumpMsMax, clockGapMsMax } = limits.retention
    const { lastRunAt, newestEventAt } = this.#evidence
    // What has passed since the start is no gap.
    const at = now.at - (now.elapsedMs - this.#start.elapsedMs)
    const known = Math.max(lastRunAt ?? newestEventAt ?? Number.NEGATIVE_INFINITY, this.#trustedAt ?? Number.NEGATIVE_INFINITY)
    if (known === Number.NEGATIVE_INFINITY) return undefined
    const name = known === this.#trustedAt ? 'the trusted time' : lastRunAt === undefined ? 'the newest event' : 'the last retention run'
    if (at - known > clockGapMsMax) return `the clock is ${printHours(at - known)} ahead of ${name}`
    // Senders date events, and one with a future date must not stop retention.
    const isSenders = lastRunAt === undefined && known === newestEventAt
    return !isSenders && known - at > clockJumpMsMax ? `the clock is ${printHours(known - at)} behind ${name}` : undefined
  }
}

type ClockReading = { readonly at: number; readonly elapsedMs: number }

function printHours(lengthMs: number): string {
  return `${Math.round(lengthMs / 3_600_000)} hours`
}
