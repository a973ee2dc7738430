import { z } from 'zod'
import { largeListSchema, listParameters } from '../../list.ts'
import { flagParameter, instantParameter, listParameter } from '../../page.ts'
import { entryList, entryText } from './enrichment.ts'

const type = z.enum([
  'server', 'workstation', 'network_device', 'mobile', 'container', 'cloud_resource', 'iot', 'application', 'unknown',
])
const criticality = z.enum(['unknown', 'low', 'medium', 'high', 'critical'])
const riskLevel = z.enum(['low', 'medium', 'high', 'critical'])
const blindSpot = z.enum(['no_logs', 'no_scan'])
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
  /** What the band of the score asks for, and by when; null in the lowest band and without a scan. */
  risk_action: z.enum(['next_cycle', 'within_30_days', 'within_7_days', 'immediate']),
  due_at: instant,
  /** When the first of its open findings is due; null where none has a date. */
  findings_due_at: instant,
  /** When anything first told of it, and when it last sent an event itself. */
  first_seen: instant,
  last_log_at: instant,
  /** No event for 24 hours, no scan for seven days. */
  blind_spots: z.array(blindSpot),
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
  /** Whether an open finding is past its date. */
  overdue: flagParameter.optional(),
  blind_spot: listParameter(blindSpot).optional(),
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
/** What people say of an asset, whatever its sources tell. */
export const assetPatchSchema = assetChangeSchema.pick({ owner: true, criticality: true, tags: true })
export type AssetChange = z.output<typeof assetChangeSchema>
