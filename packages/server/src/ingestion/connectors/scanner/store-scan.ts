import { normalizeAddress } from '@tripline/common/address'
import { normalizeHostName } from '@tripline/common/domain-name'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { Sighting } from '@tripline/model/assets/sighting'
import { normalizeMacAddress } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { ReportedAsset, ReportedRecord } from '@tripline/sources/scanner/from-events'
import type { ScanRecord } from '@tripline/sources/scanner/scan-record'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../../limits.ts'

/** What storing a scan needs of the server. */
type ScanStoreDeps = {
  readonly state: Pick<StateStore, 'assets' | 'findings'>
  readonly now: () => number
  readonly newId: () => string
  /** Called after assets of a tenant have changed. */
  readonly onObserved: (tenant: TenantId) => void
}

type Scan = {
  readonly connectorId: string
  readonly records: readonly (ScanRecord | ReportedRecord)[]
  /** The run, as the moment when it began by our clock. */
  readonly runAt: number
  readonly hasFindings: boolean
}

type FindingsRecord = Extract<ScanRecord, { readonly kind: 'findings' }>

/** Stores what a scanner told of assets and their vulnerabilities. The same scan again changes nothing. */
export async function storeScan(deps: ScanStoreDeps, tenant: TenantId, scan: Scan): Promise<void> {
  const { connectorId, records, runAt, hasFindings } = scan
  const found = records.filter((record) => record.kind === 'findings')
  await observe(deps, tenant, records.flatMap((record) => (record.kind === 'asset' ? [toSighting(deps, connectorId, record.asset)] : [])))
  await storeFindings(deps, tenant, { connectorId, found, runAt })
  for (const record of records) if (record.kind === 'open') await closeOthers(deps, tenant, record, scan)
  const isEndOfAll = records.some((record) => record.kind === 'run' && record.isFull)
  if (!isEndOfAll || !hasFindings) return
  // What a full run did not name is gone.
  const limit: number = limits.connector.sweptAtOnce
  for (let count = limit; count === limit;) {
    count = (await deps.state.findings.sweep(tenant, { source: connectorId, at: deps.now(), runAt, limit })).length
  }
}

async function observe({ state, now, onObserved }: ScanStoreDeps, tenant: TenantId, sightings: readonly Sighting[]): Promise<void> {
  const { observedAtOnceMax } = limits.connector
  for (let start = 0; start < sightings.length; start += observedAtOnceMax) {
    const { createdCount, mergedCount } =
      await state.assets.observe(tenant, sightings.slice(start, start + observedAtOnceMax), { at: now() })
    if (createdCount + mergedCount > 0) onObserved(tenant)
  }
}

type OpenRecord = Extract<ReportedRecord, { readonly kind: 'open' }>

/** Closes the findings of an asset that a collector did not name among those that are open. */
async function closeOthers(
  { state, now }: ScanStoreDeps, tenant: TenantId, { assetId: scannedId, vulnerabilityIds }: OpenRecord,
  { connectorId, runAt }: Pick<Scan, 'connectorId' | 'runAt'>,
): Promise<void> {
  const assetId = (await state.assets.findScanned(tenant, connectorId, [scannedId])).get(scannedId)
  if (assetId === undefined) return
  const open = new Set(vulnerabilityIds)
  const { entries } = await state.findings.list(tenant, {
    where: [{ field: 'asset_id', operator: 'eq', value: assetId }, { field: 'status', operator: 'eq', value: 'open' }],
    // In the order of an index by asset: in that of ids, all findings of the tenant would be read.
    order: [{ field: 'severity', direction: 'desc' }],
    limit: limits.connector.assetFindingsMax,
  })
  const gone = entries.filter(({ source, vulnerability }) => source === connectorId && !open.has(vulnerability.id))
  if (gone.length === 0) return
  const findings = gone.map((finding) => ({ ...finding, isOpen: false }))
  await state.findings.record(tenant, [{ assetId, isComplete: false, findings }], { source: connectorId, at: now(), runAt })
}

async function storeFindings(
  deps: ScanStoreDeps, tenant: TenantId,
  { connectorId, found, runAt }: { readonly connectorId: string; readonly found: readonly FindingsRecord[]; readonly runAt: number },
): Promise<void> {
  if (found.length === 0) return
  const ids = [...new Set(found.map(({ assetId }) => assetId))]
  const { state, now } = deps
  const known = await state.assets.findScanned(tenant, connectorId, ids)
  // Where assets are not collected, findings alone tell of their machines.
  const unknown = found.filter(({ assetId, hostname }) => !known.has(assetId) && hostname !== '')
  await observe(deps, tenant, unknown.map(({ assetId, hostname }) => toSighting(deps, connectorId, { id: assetId, hostname })))
  const assets = unknown.length === 0 ? known : await state.assets.findScanned(tenant, connectorId, ids)
  const findings = found.flatMap(({ assetId: scannedId, isComplete, findings }) => {
    const assetId = assets.get(scannedId)
    return assetId === undefined ? [] : [{ assetId, isComplete, findings }]
  })
  await state.findings.record(tenant, findings, { source: connectorId, at: now(), runAt })
}

/** A scanned machine, in normalized forms; what the scanner does not know replaces nothing. */
function toSighting(
  { now, newId }: ScanStoreDeps, connectorId: string, asset: ReportedAsset,
): Sighting {
  const { id, hostname, ipAddresses, macAddresses, type, os, osFamily, tags, riskScore, vulnerabilities, lastScanAt } = asset
  // A machine was seen when it was scanned; a scanner's clock may be ahead of ours.
  const at = Math.min(lastScanAt ?? now(), now())
  const facts = omitUndefined({
    hostname: normalizeHostName(hostname), ipAddresses: ipAddresses?.flatMap((text) => normalizeAddress(text) ?? []),
    macAddresses: macAddresses?.flatMap((text) => normalizeMacAddress(text) ?? []), type: type === 'unknown' ? undefined : type,
    os: os === '' ? undefined : os, osFamily: osFamily === '' ? undefined : osFamily, tags: tags?.length === 0 ? undefined : tags,
    riskScore, vulnerabilities, lastScanAt: lastScanAt === undefined ? undefined : at,
  })
  return {
    id: newId(), at, source: 'scanner', identifiers: [{ kind: 'scanner', value: `${connectorId}:${id}` }], facts, isInventory: true,
    takesAddresses: true, logons: new Map(),
  }
}
