import { omitUndefined } from '@tripline/common/omit-undefined'
import type { Runtime } from '@tripline/common/runtime'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import { printExposureEvent } from '@tripline/model/assets/exposure-event'
import type { AssetFinding } from '@tripline/model/assets/finding'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { Exposure } from '@tripline/state/ports/assets/exposure-store'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'

type ExposureWatchDeps = {
  readonly state: Pick<StateStore, 'tenants' | 'assets' | 'exposures'>
  readonly pipeline: Pick<Pipeline, 'ingest'>
  readonly clock: Pick<Runtime, 'now'>
}

/**
 * Tells rules what became true of assets: a known exploit for an open vulnerability, one that is overdue, a blind spot. Each
 * becomes one event of the tenant, which passes the pipeline like all others, so that what is an alert is up to rules.
 */
export class ExposureWatch {
  readonly #deps: ExposureWatchDeps

  constructor(deps: ExposureWatchDeps) {
    this.#deps = deps
  }

  /**
   * Looks at the assets of all tenants; call it periodically. What was reported is remembered after it is durable: after a crash
   * in between it is reported again under the same id, and evaluated once.
   */
  async check(): Promise<void> {
    const failures: unknown[] = []
    for (const { id, isActive } of await this.#deps.state.tenants.list()) {
      if (!isActive) continue
      // A tenant whose queue is full must not keep the others from theirs.
      await this.#checkTenant(id).catch((error: unknown) => failures.push(error))
    }
    if (failures.length > 0) throw failures[0]
  }

  async #checkTenant(tenant: TenantId): Promise<void> {
    const { state: { assets, exposures }, pipeline, clock } = this.#deps
    const at = clock.now()
    await exposures.forgetEnded(tenant, at)
    const { toldAtOnceMax: limit, overdueAfterMs } = limits.exposures
    const untold = await exposures.listUntold(tenant, { at, overdueBefore: at - overdueAfterMs, limit })
    if (untold.length === 0) return
    const events: { readonly id: string; readonly bytes: Uint8Array }[] = []
    for (const exposure of untold) {
      const asset = await assets.get(tenant, exposure.assetId)
      // A finding may outlive its asset until the next scan.
      if (asset !== undefined) events.push(toEvent(exposure, asset, at))
    }
    if (events.length > 0) await pipeline.ingest(tenant, events)
    await exposures.markTold(tenant, untold, at)
  }
}

function toEvent(exposure: Exposure, asset: Asset, at: number): { readonly id: string; readonly bytes: Uint8Array } {
  const { category, subject, since, facts } = describe(exposure, asset, at)
  const text = printExposureEvent({ category, at, asset, subject, facts: omitUndefined(facts) })
  return { id: `exposure ${category} ${asset.id} ${subject} ${since}`, bytes: Buffer.from(text) }
}

function describe(exposure: Exposure, asset: Asset, at: number) {
  switch (exposure.kind) {
    case 'exploit_available': {
      const { finding, newsAt } = exposure
      const facts = { ...describeFinding(finding), exploit_known_at: printInstant(newsAt) }
      return { category: exposure.kind, subject: finding.vulnerability.id, since: newsAt, facts }
    }
    case 'overdue_vulnerability': {
      const { finding } = exposure
      const { dueAt = at } = finding
      const facts = { ...describeFinding(finding), due_at: printInstant(dueAt), overdue_days: Math.floor((at - dueAt) / 86_400_000) }
      return { category: exposure.kind, subject: finding.vulnerability.id, since: dueAt, facts }
    }
    case 'blind_spot': {
      const { blindSpot } = exposure
      const lastAt = blindSpot === 'no_logs' ? asset.lastLogAt : asset.lastScanAt
      const facts = {
        blind_spot: blindSpot, seen_before: lastAt !== undefined, last_log_at: printInstant(asset.lastLogAt),
        last_scan_at: printInstant(asset.lastScanAt),
      }
      return { category: exposure.kind, subject: blindSpot, since: lastAt ?? 0, facts }
    }
  }
}

/** A finding as events of the server show it; its scanner names the same fields so. */
export function describeFinding({ vulnerability, firstFoundAt, lastFoundAt, ports, solution }: AssetFinding) {
  const { id, title, severity, cves, cvss, exploitCount } = vulnerability
  return {
    vulnerability_id: id, title, severity, cves, cvss, exploit_count: exploitCount, exploitable: exploitCount > 0, ports, solution,
    first_found: printInstant(firstFoundAt), last_found: printInstant(lastFoundAt),
  }
}

function printInstant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString()
}
