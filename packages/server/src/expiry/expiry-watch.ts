import type { Log } from '@tripline/common/log'
import type { Runtime } from '@tripline/common/runtime'
import { limits } from '../limits.ts'
import { hasLapsed } from '../metrics/server/expiry.ts'
import type { Expiry } from '../metrics/server/expiry.ts'

const dayMs = 86_400_000
/** Days before an end at which the log warns of it again; 0 is the end itself. */
const warningDays = [0, 1, 3, 7, 14] as const

type ExpiryWatchOptions = {
  readonly list: () => Promise<readonly Expiry[]>
  readonly monitor: { expiries: readonly Expiry[] }
  readonly clock: Pick<Runtime, 'now'>
  readonly log: Log
}

/**
 * Warns in the log of what ends: fourteen, seven, three days and one day ahead, and at its end, once each. Metrics and health read
 * the last list from the monitor.
 */
export class ExpiryWatch {
  readonly #options: ExpiryWatchOptions
  /** The lowest number of days of which the log warned, by what ends. */
  #warned = new Map<string, number>()

  constructor(options: ExpiryWatchOptions) {
    this.#options = options
  }

  /** Reads what ends, and warns where another threshold is passed. */
  async check(): Promise<void> {
    const { list, monitor, clock, log } = this.#options
    const nowMs = clock.now()
    const expiries = (await list()).filter((expiry) => !hasLapsed(expiry, nowMs))
    monitor.expiries = expiries
    const warned = new Map<string, number>()
    for (const expiry of expiries) {
      const { kind, tenant, name, id, expiresAt } = expiry
      const leftMs = expiresAt - nowMs
      const key = JSON.stringify([kind, tenant, id, expiresAt])
      const before = this.#warned.get(key) ?? Infinity
      const days = warningDays.find((candidate) => leftMs <= candidate * dayMs) ?? Infinity
      warned.set(key, Math.min(before, days))
      if (before <= days) continue
      const fields = { kind, tenant, name, expires_at: new Date(expiresAt).toISOString(), days: Math.floor(leftMs / dayMs) }
      if (leftMs <= 0) log.error(`${describe(kind)} has expired`, fields)
      else log.warn(`${describe(kind)} expires soon; replace it`, fields)
    }
    this.#warned = warned
  }
}

/** Milliseconds between two checks. */
export const expiryCheckMs = limits.expiry.checkMs

function describe(kind: Expiry['kind']): string {
  const subjects = {
    api_key: 'an API key', issuer_key: 'a key of the trusted issuer', tls_certificate: 'the TLS certificate',
    tls_client_ca: 'an authority of client certificates',
  }
  return subjects[kind]
}
