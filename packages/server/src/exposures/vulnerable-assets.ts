import { normalizeAddress } from '@tripline/common/address'
import { normalizeHostName } from '@tripline/common/domain-name'
import { omitUndefined } from '@tripline/common/omit-undefined'
import type { Pipeline } from '@tripline/detection/pipeline/pipeline'
import type { Alert } from '@tripline/model/alert'
import { exposureProduct, printExposureEvent } from '@tripline/model/assets/exposure-event'
import type { DomainEvent } from '@tripline/model/delivery/domain-event'
import type { Asset } from '@tripline/model/enrichment/asset'
import type { TenantId } from '@tripline/model/tenant'
import type { StateStore } from '@tripline/state/ports/state-store'
import { limits } from '../limits.ts'
import { describeFinding } from './exposure-watch.ts'

type ConsumerDeps = {
  readonly state: Pick<StateStore, 'alerts' | 'assets' | 'findings'>
  readonly pipeline: Pick<Pipeline, 'ingest'>
}

/**
 * Creates the consumer of domain events that tells rules of alerts on assets with severe vulnerabilities: each alert becomes an
 * event of the tenant. Alerts about such events tell nothing new. The id is that of the alert, so that what comes again after a
 * crash is evaluated once.
 */
export function createVulnerableAssetConsumer({ state, pipeline }: ConsumerDeps) {
  return {
    name: 'exposures',
    topic: 'exposures',
    async handle(tenant: TenantId, events: readonly DomainEvent[]): Promise<void> {
      for (const { type, subject } of events) {
        const alert = type === 'alert.created' ? await state.alerts.get(tenant, subject) : undefined
        if (alert === undefined || alert.product === exposureProduct) continue
        const asset = await findAsset(state, tenant, alert)
        if (asset === undefined || asset.vulnerabilities.critical + asset.vulnerabilities.high === 0) continue
        const text = await printAlert(state, tenant, alert, asset)
        await pipeline.ingest(tenant, [{ id: `exposure alert ${alert.id}`, bytes: Buffer.from(text) }])
      }
    },
  }
}

/** The asset of an alert's host: by its name, by the first label of it, or by an address in its place. */
async function findAsset({ assets }: Pick<StateStore, 'assets'>, tenant: TenantId, { event }: Alert): Promise<Asset | undefined> {
  const address = normalizeAddress(event.host)
  if (address !== undefined) return await assets.findByAddress(tenant, address)
  const name = normalizeHostName(event.host) ?? ''
  if (name === '') return undefined
  const [label = ''] = name.split('.')
  return await assets.findByHostname(tenant, name) ?? (label === name ? undefined : await assets.findByHostname(tenant, label))
}

/** The event of an alert, with the worst vulnerabilities of its asset as evidence. */
async function printAlert(
  { findings }: Pick<StateStore, 'findings'>, tenant: TenantId, { id, ruleId, ruleTitle, level, event, createdAt }: Alert, asset: Asset,
): Promise<string> {
  const { entries } = await findings.list(tenant, {
    where: [{ field: 'asset_id', operator: 'eq', value: asset.id }, { field: 'status', operator: 'eq', value: 'open' }],
    order: [{ field: 'severity', direction: 'desc' }], limit: limits.exposures.findingsShownMax,
  })
  const facts = {
    alert_id: id, alert_rule_id: ruleId, alert_title: ruleTitle, alert_level: level, alert_user: event.user,
    findings: entries.map((finding) => omitUndefined(describeFinding(finding))),
  }
  const subject = entries[0]?.vulnerability.id ?? ''
  return printExposureEvent({ category: 'vulnerable_asset_alert', at: createdAt, asset, subject, facts })
}
