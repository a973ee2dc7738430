import type { Alert } from './alert.ts'

/** What an alert was before a change of many, and the version that the change gave it. */
export type AlertBefore = Pick<Alert, 'id' | 'status' | 'verdict' | 'assignee' | 'reviewed' | 'reopenedCount' | 'version'>

/** One transaction of a change of many alerts, kept until it cannot be taken back any more. */
export type BulkPart = {
  readonly id: string
  /** Counts the transactions of the change, from 0. */
  readonly part: number
  /** The user who made it, who alone may take it back. */
  readonly userId: string
  readonly expiresAt: number
  readonly before: readonly AlertBefore[]
}
