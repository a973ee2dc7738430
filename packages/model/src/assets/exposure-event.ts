import { isInNetworks } from '@tripline/common/network'
import type { Asset } from '../enrichment/asset.ts'
import { getRiskLevel } from '../enrichment/asset.ts'

/** The product of events that the server makes of what it knows of assets: rules decide what of it is an alert. */
export const exposureProduct = 'tripline'

/** What such an event tells: one use of vulnerability data each. */
type ExposureCategory = 'vulnerable_asset_alert' | 'exploit_available' | 'blind_spot' | 'overdue_vulnerability'

type ExposureEvent = {
  readonly category: ExposureCategory
  readonly at: number
  readonly asset: Asset
  /** What it is about beside the asset: a vulnerability, or a kind of blind spot. Alerts of a rule about the same are one. */
  readonly subject: string
  readonly facts: { readonly [name: string]: unknown }
}

/** Networks whose addresses the internet does not reach. */
const innerNetworks = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '224.0.0.0/3',
  '::/127', 'fc00::/7', 'fe80::/10', 'ff00::/8',
]

/** Prints an event of the server about an asset. */
export function printExposureEvent({ category, at, asset, subject, facts }: ExposureEvent): string {
  const { id, hostname, ipAddresses, type, os, owner, criticality, tags, riskScore, vulnerabilities } = asset
  return JSON.stringify({
    '@timestamp': new Date(at).toISOString(), _logsource: { product: exposureProduct, category },
    hostname: hostname === '' ? ipAddresses[0] ?? '' : hostname, ip_addresses: ipAddresses, asset_id: id, asset_type: type, os, owner,
    criticality, tags, risk_score: riskScore, risk_level: getRiskLevel(riskScore), vulnerabilities,
    is_public: ipAddresses.some((address) => !isInNetworks(innerNetworks, address)), ...facts, exposure_key: `${category}:${id}:${subject}`,
  })
}

/** What an alert needs of such an event: what it is about, and the alert that caused it. */
type ExposureMark = { readonly key: string; readonly alertId: string | undefined }

/** Reads the mark of an event of the server; undefined for any other event. */
export function readExposureMark(fields: { readonly [name: string]: unknown }): ExposureMark | undefined {
  const { _logsource: logsource, exposure_key: key, alert_id: alertId } = fields
  const isOurs = typeof logsource === 'object' && logsource !== null && 'product' in logsource && logsource.product === exposureProduct
  if (!isOurs || typeof key !== 'string') return undefined
  return { key, alertId: typeof alertId === 'string' ? alertId : undefined }
}
