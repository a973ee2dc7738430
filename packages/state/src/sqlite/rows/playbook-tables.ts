import type { PlaybookSubject, RunStatus } from '@tripline/model/playbooks/playbook'
import type { Flag } from '../query/dialect.ts'

// The tables of playbooks, part of `Tables`.

export type PlaybookRow = {
  readonly tenantId: string
  readonly id: string
  readonly name: string
  readonly description: string
  readonly subject: PlaybookSubject
  readonly isAutomatic: Flag
  readonly filter: string
  /** JSON. */
  readonly steps: string
  readonly isEnabled: Flag
  readonly runsTotal: number
  /** 0 where it never ran. */
  readonly lastRunAt: number
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

export type PlaybookRunRow = {
  readonly tenantId: string
  readonly id: string
  /** The same for runs of which there may be one. */
  readonly onceKey: string
  readonly playbookId: string
  readonly playbookName: string
  readonly subject: PlaybookSubject
  readonly subjectId: string
  readonly requestedBy: string
  readonly status: RunStatus
  /** JSON, as the records. */
  readonly steps: string
  readonly records: string
  readonly createdAt: number
  /** 0 where it has not ended. */
  readonly finishedAt: number
}
