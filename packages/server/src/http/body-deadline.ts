import { limits } from './limits.ts'

/**
 * The deadline of a request body: each chunk must follow the last one in time, and the whole must keep a minimum rate, as
 * in Apache's mod_reqtimeout, where each byte extends the deadline.
 */
export class BodyDeadline {
  readonly #startedMs: number
  #lastMs: number
  #byteCount = 0

  constructor(startedMs: number) {
    this.#startedMs = this.#lastMs = startedMs
  }

  receive(byteCount: number, nowMs: number): void {
    this.#lastMs = nowMs
    this.#byteCount += byteCount
  }

  /** Why the body is late: the sentence names the limit. Undefined while it is in time. */
  findDelay(nowMs: number): string | undefined {
    const { bodyIdleMs, bodyBytesPerSecondMin, arrivalMs } = limits.request
    if (nowMs - this.#lastMs >= bodyIdleMs) return `no byte of the body arrived for ${bodyIdleMs / 1_000} seconds`
    if (nowMs - this.#startedMs >= arrivalMs) return `the body did not arrive within ${arrivalMs / 1_000} seconds`
    const earnedMs = (this.#byteCount / bodyBytesPerSecondMin) * 1_000
    if (nowMs - this.#startedMs < bodyIdleMs + earnedMs) return undefined
    return `the body arrives at less than ${bodyBytesPerSecondMin} bytes per second`
  }
}
