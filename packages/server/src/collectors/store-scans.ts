import type { TenantId } from '@tripline/model/tenant'
import { readScannerEvent, scannerEventMark } from '@tripline/sources/scanner/from-events'
import type { ReportedRecord } from '@tripline/sources/scanner/from-events'
import type { StateStore } from '@tripline/state/ports/state-store'
import type { ScannerDeps } from '../ingestion/connectors/scanner/scanner-deps.ts'
import { getSourceId } from './source-connectors.ts'

type ScansDeps = {
  readonly state: Pick<StateStore, 'collectors' | 'findings'>
  readonly scanner: ScannerDeps
  readonly now: () => number
}

/** What a source told in one run, in order. */
type RunOfSource = { readonly source: string; readonly runAt: number; readonly records: ReportedRecord[] }

/**
 * Keeps the inventory by the events that a collector made of what its scanners told, as connectors of the server do. The same
 * events again change nothing. A plan without scanners keeps no inventory of them.
 */
export function createScanStore({ state, scanner, now }: ScansDeps) {
  return async (tenant: TenantId, collectorId: string, events: readonly { readonly bytes: Uint8Array }[]): Promise<void> => {
    const scans = events.flatMap(({ bytes }) => {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      return buffer.includes(scannerEventMark) ? readScannerEvent(buffer.toString('utf8'), now()) ?? [] : []
    })
    if (scans.length === 0 || !await scanner.isInPlan(tenant)) return
    const collector = await state.collectors.get(tenant, collectorId)
    if (collector === undefined) return
    const runs = new Map<string, RunOfSource>()
    for (const { source, runAt, record } of scans) {
      const key = JSON.stringify([source, runAt])
      const run = runs.get(key) ?? { source, runAt, records: [] }
      run.records.push(record)
      runs.set(key, run)
    }
    for (const { source, runAt, records } of runs.values()) {
      const exploited = records.flatMap((record) => (record.kind === 'exploit' ? [record.vulnerability] : []))
      if (exploited.length > 0) await state.findings.putVulnerabilities(tenant, exploited, now())
      const hasFindings = records.some((record) => record.kind === 'run' && record.hasFindings)
      await scanner.storeScan(tenant, { connectorId: getSourceId(collector, source), records, runAt, hasFindings })
    }
  }
}
