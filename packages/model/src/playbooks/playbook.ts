/** What a playbook is about. */
export type PlaybookSubject = 'alert' | 'incident'

/** One step of a playbook. */
export type PlaybookStep =
  | { readonly type: 'comment'; readonly content: string }
  /** The status in the words of the console. */
  | { readonly type: 'set_status'; readonly status: string }
  | { readonly type: 'assign'; readonly assignee: string }
  | { readonly type: 'tag_asset'; readonly tag: string }
  | { readonly type: 'webhook'; readonly url: string }
  /** The id of a notification channel. */
  | { readonly type: 'notify'; readonly channel: string }

/** Steps that are taken in order about an alert or an incident. */
export type Playbook = {
  readonly id: string
  /** Unique in a tenant. */
  readonly name: string
  readonly description: string
  readonly subject: PlaybookSubject
  /** Whether it starts by itself for each subject that matches its filter, once; else by hand alone. */
  readonly isAutomatic: boolean
  /** A filter expression of the subject's list, as JSON; empty for every subject. */
  readonly filter: string
  readonly steps: readonly PlaybookStep[]
  readonly isEnabled: boolean
  readonly runsTotal: number
  readonly lastRunAt: number | undefined
  /** Counts the changes, from 1. */
  readonly version: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Changeable attributes of a playbook. */
export type PlaybookChange = Partial<Pick<Playbook, 'name' | 'description' | 'isAutomatic' | 'filter' | 'steps' | 'isEnabled'>>

export type StepStatus = 'pending' | 'running' | 'succeeded' | 'failed' | 'skipped'

/** What became of a step. */
type StepRecord = {
  readonly type: PlaybookStep['type']
  readonly status: StepStatus
  /** When it ended; undefined before. */
  readonly at: number | undefined
  readonly result: string
}

export const runStatuses = ['pending', 'succeeded', 'failed'] as const
export type RunStatus = (typeof runStatuses)[number]

/** One run of a playbook, with the steps as they were when it was started. */
export type PlaybookRun = {
  readonly id: string
  readonly playbookId: string
  readonly playbookName: string
  readonly subject: PlaybookSubject
  readonly subjectId: string
  /** Who started it; empty for a run that started by itself. */
  readonly requestedBy: string
  readonly status: RunStatus
  readonly steps: readonly PlaybookStep[]
  readonly records: readonly StepRecord[]
  readonly createdAt: number
  readonly finishedAt: number | undefined
}

type NewRun = Pick<PlaybookRun, 'id' | 'subjectId' | 'requestedBy'>

/** Starts a run of a playbook. */
export function startRun({ id: playbookId, name, subject, steps }: Playbook, started: NewRun, at: number): PlaybookRun {
  const records = steps.map(({ type }): StepRecord => ({ type, status: 'pending', at: undefined, result: '' }))
  return { ...started, playbookId, playbookName: name, subject, steps, records, status: 'pending', createdAt: at, finishedAt: undefined }
}

/** The number of the next step of a run; undefined when it has ended. */
export function findNextStep({ status, records }: PlaybookRun): number | undefined {
  if (status !== 'pending') return undefined
  const index = records.findIndex((record) => record.status === 'pending' || record.status === 'running')
  return index === -1 ? undefined : index
}

type StepEnd = { readonly status: Exclude<StepStatus, 'pending'>; readonly result: string }

/** The run after a step: a failed step skips those behind it and fails the run, the last one ends it. */
export function recordStep(run: PlaybookRun, index: number, { status, result }: StepEnd, at: number): PlaybookRun {
  const hasFailed = status === 'failed'
  const records = run.records.map((record, i): StepRecord => {
    if (i === index) return { ...record, status, result, at: status === 'running' ? undefined : at }
    return hasFailed && i > index ? { ...record, status: 'skipped', at, result: 'an earlier step failed' } : record
  })
  const isOver = hasFailed || (status !== 'running' && index === records.length - 1)
  return { ...run, records, ...(isOver && { status: hasFailed ? 'failed' : 'succeeded', finishedAt: at }) }
}
