import { useEffect } from 'react'
import { getPollMs } from '../api/follow-jobs.ts'
import type { JobMessage } from '../api/follow-jobs.ts'
import { live, onLive } from '../api/live.ts'
import { useStore } from '../lib/use-store.ts'

/** How often to look at jobs of a kind that are unfinished: seldom while messages tell of them, whose listener is called. */
export function useJobs(job: JobMessage['job'], listener: (progress: JobMessage) => void): number {
  const { kind } = useStore(live)
  useEffect(() => onLive((message) => {
    if (message.type === 'job_progress' && message.data.job === job) listener(message.data)
  }), [job, listener])
  return getPollMs(kind)
}
