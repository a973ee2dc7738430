import type { SystemHealthBody } from '@tripline/contract/console/health'
import { printBytes } from '../../i18n/print-bytes.ts'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'

/** A check as a sentence; `undefined` is not known yet. */
export type CheckLine = { readonly id: string; readonly isOk: boolean | undefined; readonly text: string }

/** The checks behind the state of the services, what is wrong first. */
export function listChecks({ checks }: SystemHealthBody): readonly CheckLine[] {
  const ms = printNumber(checks.loop_lag_ms)
  const lines: readonly CheckLine[] = [
    toLine('loop', checks.loop_on_time, { ms }),
    toTimedLine('queues', checks.queues_moving, checks.queue_sync_ms),
    toTimedLine('store', checks.store_writable, checks.store_write_ms),
    ...(checks.disk === null ? [] : [toDiskLine(checks.disk)]),
    toLine('clock', checks.clock_plausible),
    toCountLine('lost', checks.events_lost),
    // An event is found a moment after it was accepted, so that one that is not found yet is no fault.
    toWaitingLine('searchable', checks.events_not_searchable),
    toCountLine('stored', checks.stored_events_lost),
    toCountLine('rows', checks.rows_damaged),
    toCountLine('webhooks', checks.webhooks_failing),
    toCountLine('expiry', checks.expiring.length, { names: checks.expiring.map(({ name }) => name).join(', ') }),
    checks.data_intact === null || checks.data_verified_at === null
      ? { id: 'data', isOk: undefined, text: t('health.check.data.never') }
      : toLine('data', checks.data_intact, { time: printTime(checks.data_verified_at) }),
  ]
  return lines.toSorted((one, other) => rank(one) - rank(other))
}

function rank({ isOk }: CheckLine): number {
  return isOk === false ? 0 : isOk === undefined ? 1 : 2
}

/** A check that takes its time, which is part of what it says once it is known. */
function toTimedLine(id: 'queues' | 'store', isOk: boolean, ms: number | null): CheckLine {
  if (!isOk || ms === null) return toLine(id, isOk)
  return { id, isOk, text: t(`health.check.${id}.timed`, { ms: printNumber(ms) }) }
}

type StateCheck = 'loop' | 'queues' | 'store' | 'clock' | 'data'
type CountCheck = 'lost' | 'stored' | 'rows' | 'webhooks' | 'expiry'

function toLine(id: StateCheck, isOk: boolean, parameters: { readonly [name: string]: string } = {}): CheckLine {
  return { id, isOk, text: t(`health.check.${id}.${isOk ? 'ok' : 'bad'}`, parameters) }
}

function toCountLine(id: CountCheck, count: number, parameters: { readonly [name: string]: string } = {}): CheckLine {
  return { id, isOk: count === 0, text: t(`health.check.${id}.${count === 0 ? 'ok' : 'bad'}`, { count, ...parameters }) }
}

function toDiskLine({ state, free_bytes: free, size_bytes: size }: NonNullable<SystemHealthBody['checks']['disk']>): CheckLine {
  return { id: 'disk', isOk: state === 'ok', text: t(`health.check.disk.${state}`, { free: printBytes(free), size: printBytes(size) }) }
}

function toWaitingLine(id: 'searchable', count: number): CheckLine {
  return { id, isOk: count === 0 ? true : undefined, text: t(`health.check.${id}.${count === 0 ? 'ok' : 'bad'}`, { count }) }
}
