import type { StateStore } from '@tripline/state/ports/state-store'

/** What the stores of a tenant hold, as `ScannerWorld.describe` tells the truth: of each asset its name, its score and its open findings. */
export async function readInventory(state: StateStore, tenant: string): Promise<ReadonlyMap<string, string>> {
  const [assets, findings] = [await state.assets.list(tenant, { limit: 5_000 }), await state.findings.list(tenant, { limit: 50_000 })]
  const open = Map.groupBy(findings.entries.filter(({ status }) => status === 'open'), ({ assetId }) => assetId)
  const idOf = (hostname: string): string => /^host-(\d+)\./.exec(hostname)?.[1] ?? hostname
  return new Map(assets.entries.map(({ id, hostname, riskScore }) => [
    idOf(hostname), JSON.stringify([hostname, riskScore, (open.get(id) ?? []).map(({ vulnerability }) => vulnerability.id).sort()]),
  ]))
}
