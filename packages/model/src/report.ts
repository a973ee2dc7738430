export type ReportKind = 'compliance' | 'executive' | 'soc_weekly' | 'assets'

export type ReportFormat = 'pdf' | 'html' | 'csv' | 'json'
export type ReportLanguage = 'en' | 'ko'

/** What stands at the head of a tenant's reports. */
export type ReportBranding = {
  /** Empty before it is set. */
  readonly name: string
  readonly logo: ReportLogo | undefined
  /** Counts changes, from 1; 0 where nothing is stored. */
  readonly version: number
}

/** A PNG, and its size in pixels. */
export type ReportLogo = { readonly png: Uint8Array; readonly width: number; readonly height: number }

/** A report of a tenant's history: what was asked for, and what became of it. */
export type StoredReport = {
  readonly id: string
  readonly kind: ReportKind
  /** The token of a framework; empty for other kinds. */
  readonly framework: string
  readonly format: ReportFormat
  readonly language: ReportLanguage
  /** The range that it is about, from inclusive to exclusive; undefined where it has no bound. */
  readonly from: number | undefined
  readonly to: number | undefined
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed'
  /** Empty until it was made. */
  readonly title: string
  /** The schedule that it was made by; empty where a person asked for it. */
  readonly scheduleId: string
  /** Who asked for it, as the audit trail names people; the name of the schedule where one did. */
  readonly requestedBy: string
  readonly requestedAt: number
  readonly finishedAt: number | undefined
  /** Bytes of the file and their SHA-256; 0 and empty until it was made. */
  readonly size: number
  readonly sha256: string
  /** Why it failed; empty otherwise. */
  readonly error: string
}
