import { z } from 'zod'
import { largeListSchema, listParameters } from '../list.ts'
import { flagParameter, instantParameter, listParameter } from '../page.ts'
import { entryList, entryText } from './enrichment.ts'

const type = z.enum([
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
])
const criticality = z.enum(['unknown', 'low', 'medium', 'high', 'critical'])
const riskLevel = z.enum(['low', 'medium', 'high', 'critical'])
const instant = z.iso.datetime().nullable()
const count = z.int().min(0).max(1_000_000_000)

/** An asset. */
export const assetSchema = z.strictObject({
  id: z.string(),
  hostname: z.string(),
  ip_addresses: z.array(z.string()),
  mac_addresses: z.array(z.string()),
  type,
  os: z.string(),
  os_family: z.string(),
  criticality,
  owner: z.string(),
  tags: z.array(z.string()),
  risk_score: z.int(),
  risk_level: riskLevel,
  vulnerabilities: z.strictObject({ critical: count, high: count, medium: count, low: count, exploitable: count }),
  open_alerts: z.int(),
  /** Null if it was never seen or scanned. */
  last_seen: instant,
  last_scan_at: instant,
  scan_stale: z.boolean(),
  sources: z.array(z.string()),
})
export type AssetBody = z.infer<typeof assetSchema>

export const assetListSchema = z.strictObject({
  assets: z.array(assetSchema),
  ...largeListSchema,
})

export const assetListQuerySchema = z.strictObject({
  type: listParameter(type).optional(),
  os: listParameter(z.string()).optional(),
  criticality: listParameter(criticality).optional(),
  tag: listParameter(z.string()).optional(),
  risk_level: listParameter(riskLevel).optional(),
  ip: listParameter(z.string()).optional(),
  exploitable: flagParameter.optional(),
  last_seen_from: instantParameter.optional(),
  last_seen_to: instantParameter.optional(),
  last_scan_from: instantParameter.optional(),
  last_scan_to: instantParameter.optional(),
  ...listParameters,
})
export type AssetListQuery = z.output<typeof assetListQuerySchema>

/** A change of an asset; omitted fields are kept. Rows of an import have the same fields. */
export const assetChangeSchema = z.strictObject({
  hostname: entryText.optional(),
  ip_addresses: entryList.optional(),
  mac_addresses: entryList.optional(),
  type: type.optional(),
  os: entryText.optional(),
  os_family: entryText.optional(),
  criticality: criticality.optional(),
  owner: entryText.optional(),
  tags: entryList.optional(),
  risk_score: count.optional(),
  vulnerabilities: z
    .strictObject({
      critical: count.default(0), high: count.default(0), medium: count.default(0), low: count.default(0),
      exploitable: count.default(0),
    })
    .optional(),
  last_seen: instantParameter.optional(),
  last_scan_at: instantParameter.optional(),
  sources: entryList.optional(),
})
export type AssetChange = z.output<typeof assetChangeSchema>
