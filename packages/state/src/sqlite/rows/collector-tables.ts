import type { CollectorStatus } from '@tripline/model/collectors/collector'

/** The tables of collectors, part of `Tables`. */
export type CollectorRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly hostname: string
  readonly programRelease: string
  readonly os: string
  readonly osFamily: string
  /** Null once it is retired. */
  readonly credentialHash: string | null
  readonly status: CollectorStatus
  readonly lastSeenAt: number | null
  /** JSON; null before the first heartbeat. */
  readonly report: string | null
  readonly receivedCount: number
  readonly failedCount: number
  readonly byteCount: number
  readonly lastEventAt: number | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type EnrolmentTokenRow = {
  readonly tenantId: string
  readonly hash: string
  readonly name: string
  readonly createdAt: number
  readonly expiresAt: number
}
