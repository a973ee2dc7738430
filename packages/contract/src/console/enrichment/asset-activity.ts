import { z } from 'zod'
import { limits } from '../../limits.ts'
import { largeListSchema, listParameters } from '../../list.ts'
import { flagParameter, instantParameter, listParameter } from '../../page.ts'
import { alertSchema } from '../alert.ts'
import { entryList, entryText } from './enrichment.ts'

const instant = z.iso.datetime()
const activityKind = z.enum(['alert', 'logon', 'finding_opened', 'finding_closed', 'scan', 'collector', 'change', 'seen'])

/** What happened to an asset; equal things of one hour are one entry with their count. */
const timelineEntrySchema = z.strictObject({
  at: instant,
  kind: activityKind,
  title: z.string(),
  /** The severity of an alert or finding. */
  severity: z.string().nullable(),
  /** The id of the alert, or the vulnerability. */
  ref: z.string().nullable(),
  count: z.int(),
})

export const assetTimelineSchema = z.strictObject({ asset_id: z.string(), timeline: z.array(timelineEntrySchema), ...largeListSchema })
export type AssetTimelineBody = z.infer<typeof assetTimelineSchema>

export const assetTimelineQuerySchema = z.object({
  from: instantParameter.optional(),
  to: instantParameter.optional(),
  kind: listParameter(activityKind).optional(),
  ...listParameters,
})

/** The alerts of an asset: those of a host with one of its names, or its address if it has none. */
export const assetAlertsSchema = z.strictObject({ asset_id: z.string(), alerts: z.array(alertSchema), ...largeListSchema })
export const assetAlertsQuerySchema = z.object({
  from: instantParameter.optional(), to: instantParameter.optional(), ...listParameters,
})

const findingSeverity = z.enum(['low', 'medium', 'high', 'critical'])
const findingStatus = z.enum(['open', 'closed'])

/** A vulnerability of an asset. */
const findingSchema = z.strictObject({
  id: z.string(),
  asset_id: z.string(),
  /** Its name, or its first address. */
  asset_name: z.string(),
  /** The connector of the scanner that found it. */
  source: z.string(),
  vulnerability_id: z.string(),
  title: z.string(),
  severity: findingSeverity,
  cves: z.array(z.string()),
  cvss: z.number().nullable(),
  /** Known exploits and malware kits. */
  exploit_count: z.int(),
  status: findingStatus,
  first_found: instant,
  last_found: instant,
  closed_at: instant.nullable(),
  /** When it must be remediated, counted from when it was first found; null for the lowest severity. */
  due_at: instant.nullable(),
  is_overdue: z.boolean(),
  /** `443/tcp`. */
  ports: z.array(z.string()),
  /** Texts of the scanner without markup. */
  proof: z.string(),
  solution: z.string(),
})
export type FindingBody = z.infer<typeof findingSchema>

export const findingListSchema = z.strictObject({ findings: z.array(findingSchema), ...largeListSchema })
export const assetFindingsSchema = z.strictObject({ asset_id: z.string(), ...findingListSchema.shape })

export const findingListQuerySchema = z.object({
  severity: listParameter(findingSeverity).optional(),
  status: listParameter(findingStatus).optional(),
  exploitable: flagParameter.optional(),
  overdue: flagParameter.optional(),
  ...listParameters,
})
export type FindingListQuery = z.output<typeof findingListQuerySchema>

/** What an asset had over time, newest first: addresses, interfaces, names, and users who logged on. */
export const assetBindingsSchema = z.strictObject({
  asset_id: z.string(),
  bindings: z.array(z.strictObject({
    kind: z.enum(['ip', 'mac', 'name', 'user']),
    value: z.string(),
    source: z.string(),
    first_seen: instant,
    last_seen: instant,
    count: z.int(),
  })),
})
export type AssetBindingsBody = z.infer<typeof assetBindingsSchema>

const riskLevel = z.enum(['low', 'medium', 'high', 'critical'])

/** The risk scores that an asset had, each from its moment on, oldest first; the first may be older than the interval. */
export const assetRisksSchema = z.strictObject({
  asset_id: z.string(),
  risks: z.array(z.strictObject({ at: instant, score: z.int(), level: riskLevel })),
})
export type AssetRisksBody = z.infer<typeof assetRisksSchema>
export const assetRisksQuerySchema = z.strictObject({ from: instantParameter.optional(), to: instantParameter.optional() })

const { mergedMax } = limits.enrichment

/** Other assets that are the same machine. */
export const assetMergeSchema = z.strictObject({
  asset_ids: z.array(z.string().min(1).max(limits.push.idLengthMax)).min(1).max(mergedMax, `must have at most ${mergedMax} ids`),
})

/** What of an asset is another machine. */
export const assetSplitSchema = z.strictObject({
  hostname: entryText.optional(), ip_addresses: entryList.optional(), mac_addresses: entryList.optional(),
})
