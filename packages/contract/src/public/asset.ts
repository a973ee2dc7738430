import { z } from 'zod'
import { limits } from '../limits.ts'
import { searchText, time, words } from './parameters.ts'
import { count, flag, instant, list, nullable, optional, plain, record, text, word } from './shape.ts'
import type { ValueOf } from './shape.ts'
import { assetTypeWords, criticalityWords, riskLevelWords } from './vocabulary.ts'

/** A machine, service or device. */
export const publicAsset = record({
  id: text,
  hostname: text,
  ip_addresses: list(text),
  mac_addresses: list(text),
  type: word(assetTypeWords),
  os: text,
  os_family: text,
  criticality: word(criticalityWords),
  owner: text,
  tags: list(text),
  risk_score: count,
  risk_level: word(riskLevelWords),
  vulnerabilities: record({ critical: count, high: count, medium: count, low: count, exploitable: count }),
  open_alerts: count,
  /** Null if it was never seen or scanned. */
  last_seen: nullable(instant),
  last_scan_at: nullable(instant),
  /** Whether the last scan is older than a week. */
  scan_stale: flag,
  sources: list(text),
})
export type PublicAsset = ValueOf<typeof publicAsset>

/** The filters of the list of assets; `search` finds host names and addresses. */
export const assetParameters = { search: searchText(limits.state.soughtLengthMax), type: words(assetTypeWords) } as const

const { entryListMax, entryTextLengthMax } = limits.enrichment
const entry = z.string().max(entryTextLengthMax).regex(/^[^\x00-\x1f\x7f-\x9f]*$/, 'must not contain control characters')
const line = optional(plain(entry))
const lines = optional(plain(z.array(entry.min(1)).max(entryListMax)))

/** Assets to create or change, by host name or address; what a row leaves out stays as it is. */
export const assetImport = record({
  assets: list(record({
    hostname: line, ip_addresses: lines, mac_addresses: lines, type: optional(word(assetTypeWords)), os: line, os_family: line,
    criticality: optional(word(criticalityWords)), owner: line, tags: lines, risk_score: optional(count),
    vulnerabilities: optional(record({ critical: count, high: count, medium: count, low: count, exploitable: count })),
    last_seen: optional(time), last_scan_at: optional(time), sources: lines,
  }), { lengthMin: 1, lengthMax: limits.enrichment.importedAtOnceMax }),
})

/** What became of the rows: a problem names its row by number, from 1. */
export const assetImportReport = record({
  rows: count, created: count, changed: count, unchanged: count, rejected: count, errors: list(record({ line: count, message: text })),
  errors_truncated: flag,
})
