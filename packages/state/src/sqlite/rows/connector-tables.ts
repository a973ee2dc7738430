import type { ConnectorStatus, ConnectorType } from '@tripline/model/connector'
import type { Flag } from '../query/dialect.ts'

/** The tables of connectors, part of `Tables`. */
export type ConnectorRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly type: ConnectorType
  readonly isEnabled: Flag
  readonly config: string
  readonly sealedSecrets: string
  readonly tokenHash: string | null
  readonly status: ConnectorStatus
  readonly message: string
  readonly consecutiveFailures: number
  readonly checkedAt: number | null
  readonly checks: string
  readonly pollCursor: string | null
  readonly receivedCount: number
  readonly failedCount: number
  readonly byteCount: number
  readonly lastEventAt: number | null
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type ConnectorMomentRow = {
  readonly tenantId: string
  readonly connectorId: string
  /** Its number within the connector, from 1. */
  readonly seq: number
  readonly at: number
  readonly status: ConnectorStatus
  readonly message: string
}
