import type { JobProgress } from '@tripline/model/delivery/job-progress'
import type { EventMessage } from './event-feed.ts'
import { printPushMessage } from './print-message.ts'

/** Converts the progress of a job to its message. It has no id, because it is not kept for those who miss it. */
export function toJobMessage({ job, id, status, progress }: JobProgress, at: number): EventMessage {
  const key = JSON.stringify([job, id, status, progress])
  return { topic: 'jobs', key, bytes: printPushMessage('job_progress', at, { job, id, status, progress }) }
}
