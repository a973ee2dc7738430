import { tryParseJson } from '@tripline/common/json'
import { parseJson } from '@tripline/common/parse-json'
import type { EventObject } from '@tripline/engine'
import type { TenantId } from '@tripline/model/tenant'
import { PollError } from '@tripline/sources/polling/poll-error'
import type { PolledEvent } from '@tripline/sources/polling/read-page'
import type { DefinitionStore } from '@tripline/sources/scanner/definitions'
import { parseScannerState, runScanner } from '@tripline/sources/scanner/run-scanner'
import type { ScannerState } from '@tripline/sources/scanner/run-scanner'
import type { ScanRecord } from '@tripline/sources/scanner/scan-record'
import { ScannerError } from '@tripline/sources/scanner/scanner-client'
import type { ScannerOutside } from '@tripline/sources/scanner/scanner-client'
import type { ScannerSettings } from '@tripline/sources/scanner/scanner-settings'
import { toScannerEvents } from '@tripline/sources/scanner/to-events'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { Egress } from '../../../egress/egress.ts'
import { limits } from '../../limits.ts'
import type { ScannerTarget } from './scanner-target.ts'

/** Where a scanner stands, and when its last run ended by our clock. */
type ScannerPosition = { readonly state: ScannerState; readonly endedAt: number | undefined }

/** A part of a run, with the events that it becomes. */
type ScannerPage = { readonly records: readonly ScanRecord[]; readonly events: readonly PolledEvent[]; readonly runAt: number }

type ScannerJob = {
  readonly connectorName: string
  readonly position: ScannerPosition
  readonly outside: ScannerOutside & { readonly definitions: DefinitionStore }
  /** Runs work with a permit of the tenant: each page is held in memory whole. */
  readonly withPermit: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Makes a page durable; the position is saved afterwards. */
  readonly store: (page: ScannerPage) => Promise<void>
  readonly save: (position: ScannerPosition) => Promise<void>
  readonly signal: AbortSignal
}

/**
 * Runs a scanner once if a run is due, or goes on with one that was interrupted. The position is saved after what a page told
 * is durable: after a crash in between, the page is read again and changes nothing. Returns milliseconds until the next run.
 *
 * @throws PollError when the scanner does not answer as expected; earlier pages are saved.
 */
export async function pollScanner({ settings, intervalMs }: ScannerTarget, job: ScannerJob): Promise<number> {
  const { position: { state, endedAt }, outside, withPermit, store, save, signal, connectorName } = job
  const { now } = outside
  // A clock that was set back puts off no run for longer than the interval.
  const waitMs = state.run !== undefined || endedAt === undefined ? 0 : Math.min(endedAt + intervalMs - now(), intervalMs)
  if (waitMs > 0) return waitMs
  try {
    for (const batches = runScanner(settings, state, outside); ;) {
      const step = await withPermit(() => batches.next())
      if (step.done === true || signal.aborted) return intervalMs
      const { records, runAt, state: next } = step.value
      await store({ records, events: readScannerEvents(records, settings, connectorName, now()), runAt })
      await save({ state: next, endedAt: next.run === undefined ? now() : endedAt })
    }
  } catch (error) {
    throw toPollError(error)
  }
}

/** The events that records become. */
export function readScannerEvents(
  records: readonly ScanRecord[], settings: ScannerSettings, connectorName: string, at: number,
): readonly PolledEvent[] {
  const events = records.flatMap((record) => toScannerEvents(record, settings, { source: connectorName, at }))
  return events.map(({ id, text }) => ({ id, bytes: Buffer.from(text), event: parseJson(text) as EventObject }))
}

/** What went wrong with a scanner, as a check tells it; other errors as they are. */
export function toPollError(error: unknown): unknown {
  if (!(error instanceof ScannerError)) return error
  if (error.kind === 'credentials') return new PollError('authentication', `${error.message}: check api_key`)
  return new PollError('connectivity', error.message)
}

/** Sends the requests of a scanner through the only way out. */
export function createScannerRequest(
  egress: Egress, { verifiesCertificate }: ScannerTarget,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): ScannerOutside['request'] {
  return (request) => egress({ ...request, verifiesCertificate, timeoutMs, signal })
}

/** Reads a stored position; what is none is a beginning. */
export function parseScannerPosition(text: string | undefined): ScannerPosition {
  const parsed = tryParseJson(text ?? '')
  const stored = 'value' in parsed ? Object(parsed.value) as { readonly [name: string]: unknown } : {}
  return { state: parseScannerState(stored['state']), endedAt: typeof stored['endedAt'] === 'number' ? stored['endedAt'] : undefined }
}

/** What is known of vulnerabilities, as the state of a tenant keeps it. */
export function createScannerDefinitions(findings: StateStore['findings'], tenant: TenantId, now: () => number): DefinitionStore {
  return {
    get: (ids) => findings.getVulnerabilities(tenant, ids),
    put: (definitions) => findings.putVulnerabilities(tenant, definitions, now()),
    listWithoutExploit: (countMax) => findings.listWithoutExploit(tenant, countMax),
  }
}

/** Bytes and events of a page, as counters take them. */
export function countPage(events: readonly PolledEvent[]): {
  readonly receivedCount: number; readonly refusedCount: number; readonly byteCount: number
} {
  return { receivedCount: events.length, refusedCount: 0, byteCount: events.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

/** Pieces of a page that are ingested at once. */
export function* splitEvents(events: readonly PolledEvent[]): Generator<readonly PolledEvent[]> {
  const { ingestedAtOnceMax: max } = limits.connector
  for (let start = 0; start < events.length; start += max) yield events.slice(start, start + max)
}
