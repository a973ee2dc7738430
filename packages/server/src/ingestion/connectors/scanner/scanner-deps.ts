import type { Runtime } from '@tripline/common/runtime'
import { createUuidV7 } from '@tripline/model/ids'
import { hasSourceType, resolveSettings } from '@tripline/model/tenant-settings'
import type { TenantSettings } from '@tripline/model/tenant-settings'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { storeScan } from './store-scan.ts'

/** What scanners need beside what all connectors do. */
export type ScannerDeps = {
  readonly storeScan: (tenant: TenantId, scan: Parameters<typeof storeScan>[2]) => Promise<void>
  /** Whether the plan of a tenant has vulnerability scanners. */
  readonly isInPlan: (tenant: TenantId) => Promise<boolean>
}

type ScannerDepsOptions = {
  readonly state: Pick<StateStore, 'assets' | 'findings' | 'tenants'>
  readonly settingDefaults: TenantSettings
  /** Forgets what it looked up of a tenant. */
  readonly enricher: { readonly invalidate: (tenant: TenantId) => void }
  readonly io: Pick<Runtime, 'now' | 'randomBytes'>
}

export function createScannerDeps({ state, settingDefaults, enricher, io }: ScannerDepsOptions): ScannerDeps {
  const stores = {
    state, now: io.now, newId: () => createUuidV7(io.now(), io.randomBytes), onObserved: (tenant: TenantId) => enricher.invalidate(tenant),
  }
  return {
    storeScan: (tenant, scan) => storeScan(stores, tenant, scan),
    // Read each time: a plan that has no scanner any more stops those that run.
    isInPlan: async (tenant) => {
      const { plan } = resolveSettings((await state.tenants.get(tenant)) ?? { settings: {} }, settingDefaults)
      return hasSourceType(plan, 'vulnerability_scanner')
    },
  }
}
