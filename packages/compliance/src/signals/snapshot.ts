/** Where a value comes from: what was read, when, and a hash of what it said. */
export type Evidence = {
  /** What was read: `assets`, `audit_trail`, `rules`. */
  readonly kind: string
  /** Where to look: a path of the console's API. */
  readonly ref: string
  /** When it was read, in milliseconds since 1970. */
  readonly at: number
  /** SHA-256 of the data as canonical JSON, in hexadecimal. */
  readonly sha256: string
}

/** Data of the platform with its evidence. */
type Reading<Data> = { readonly data: Data; readonly evidence: readonly Evidence[] }

/** The kinds of log sources that detection needs at least. */
export const sourceClasses = ['authentication', 'endpoint', 'network', 'administration'] as const

type SourceClass = (typeof sourceClasses)[number]

/**
 * What is known of a tenant's platform at an instant. A reading that is absent could not be taken: nothing is concluded from it.
 */
export type PlatformSnapshot = {
  /** The instant it describes, in milliseconds since 1970. */
  readonly at: number
  readonly readings: Partial<{ readonly [Name in ReadingName]: Reading<Readings[Name]> }>
}

export type ReadingName = keyof Readings

/** The data of each reading. Counts are of the tenant alone; instants are milliseconds since 1970. */
export type Readings = {
  /** Assets, and those with an event in the last 24 hours. */
  readonly logCoverage: { readonly assets: number; readonly reporting: number }
  /** Events that rules met since they were loaded, and the classes of their log sources. */
  readonly sourceClasses: { readonly eventsMet: number; readonly seen: readonly SourceClass[] }
  /** How long events are kept, and whether the oldest one confirms it. */
  readonly retention: { readonly keptDays: number; readonly oldestEventAt: number | undefined; readonly firstEventAt: number | undefined }
  /** The check of the audit trail's hash chain. */
  readonly auditTrail: { readonly isIntact: boolean; readonly entries: number; readonly verifiedAt: number }
  /** Collectors of the last day whose clock was compared with that of the server, and those within a second of it. */
  readonly clocks: { readonly compared: number; readonly withinSecond: number }
  /** Techniques that the rules are about, and those with a rule that is enabled, healthy and meets events. */
  readonly detection: { readonly eventsMet: number; readonly techniquesWanted: number; readonly techniquesCovered: number }
  /** Minutes of the observed time in which accepted events were not evaluated. */
  readonly pipelineGaps: { readonly observedMinutes: number; readonly gapMinutes: number }
  /** Alerts of high and critical severity of the last 30 days, and those acknowledged in time. */
  readonly acknowledgement: { readonly due: number; readonly inTime: number }
  /** Incidents closed in the last 90 days, and those with a timeline and a resolution. */
  readonly incidents: { readonly closed: number; readonly complete: number }
  /** Assets, those scanned in the last 30 days, and critical findings past their due date. */
  readonly scans: { readonly assets: number; readonly fresh: number; readonly overdueCriticals: number }
  /** Whether telemetry of malware protection arrives, and how many healthy rules read it. */
  readonly malware: { readonly eventsMet: number; readonly hasTelemetry: boolean; readonly rules: number }
  /** Active users, those with a second factor or single sign-on, users unseen for 90 days, and keys that should be gone. */
  readonly access: {
    readonly users: number
    readonly strong: number
    readonly dormant: number
    readonly expiredKeys: number
  }
  /** When a notification channel last delivered a test. */
  readonly notifications: { readonly channels: number; readonly lastTestedAt: number | undefined }
  /** Requests of data subjects that fell due in the last 365 days, and those answered in time. */
  readonly subjectRequests: { readonly due: number; readonly inTime: number }
  /** Assets, and those with an owner. */
  readonly inventory: { readonly assets: number; readonly owned: number }
}
