/** Something that an asset had for a time: an address, an interface, a name, or a user who logged on. */
export type AssetBinding = {
  readonly kind: 'ip' | 'mac' | 'name' | 'user'
  readonly value: string
  readonly source: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly seenCount: number
}

/** The risk score that an asset had from a moment on. */
export type AssetRisk = { readonly at: number; readonly score: number }

/** Kinds of what happens to an asset. */
export const activityKinds = ['alert', 'logon', 'finding_opened', 'finding_closed', 'scan', 'collector', 'change', 'seen'] as const
type ActivityKind = (typeof activityKinds)[number]

/** Something that happened to an asset; equal ones of one hour are one entry. */
export type ActivityEntry = {
  readonly assetId: string
  readonly at: number
  readonly kind: ActivityKind
  readonly title: string
  /** Empty where it has none. */
  readonly severity: string
  /** The id of what it refers to: an alert, a vulnerability; empty for none. */
  readonly ref: string
  readonly count: number
}
