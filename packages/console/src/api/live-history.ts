import type { PushData } from '@tripline/contract/push/push'
import { createStore } from '../lib/store.ts'
import { live, onLive } from './live.ts'

/** The figures of one `metrics_update` message. */
export type LiveMetrics = PushData<'metrics_update'>

/** A message comes every five seconds: this is a quarter of an hour. */
const historyMax = 180

/** The live figures of the last quarter of an hour, oldest first, as far as the page was open. */
export const liveHistory = createStore<readonly LiveMetrics[]>([])

onLive((message) => {
  if (message.type === 'metrics_update') liveHistory.update((before) => [...before.slice(1 - historyMax), message.data])
})
live.subscribe(() => {
  // The next session may be of another tenant.
  if (live.get().kind === 'off') liveHistory.set([])
})
