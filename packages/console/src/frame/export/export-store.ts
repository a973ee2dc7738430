import { createStore } from '../../lib/store.ts'

/** What is exported: the rows that a list shows, as its query selects them. */
export type ExportedList = {
  /** The name of the export in `/v1/exports`. */
  readonly resource: 'alerts' | 'incidents' | 'assets' | 'detection-rules' | 'events'
  readonly query: Readonly<Record<string, string>>
  /** The rows that the list has, as far as they were counted. */
  readonly total: number
}

/** The one export that runs; it goes on while other pages are open. */
type RunningExport = { readonly count: number; readonly total: number; readonly stop: () => void }

export const runningExport = createStore<RunningExport | undefined>(undefined)
