import type { IncidentBody } from '@tripline/contract/console/incident'
import { useEffect, useState } from 'react'
import { onLive } from '../../api/live.ts'
import { queryClient } from '../../api/query-client.ts'
import { changedIncidents, incidentKey, noteIncident } from './incident-store.ts'

/** Messages that arrive within this time are counted together. */
const gatherMs = 1_000

/**
 * Follows incidents as they are opened and change: rows that are loaded show the change where they are, and details that are
 * cached are read again. Returns a number that grows when there may be more incidents than the list has.
 */
export function useLiveIncidents(rows: readonly IncidentBody[]): number {
  const [seen, setSeen] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const count = (): void => {
      timer ??= setTimeout(() => {
        timer = undefined
        setSeen((before) => before + 1)
      }, gatherMs)
    }
    const stop = onLive((message) => {
      if (message.type === 'gap') count()
      if (message.type !== 'incident_updated') return
      const { incident_id: id, status, severity } = message.data
      void queryClient.invalidateQueries({ queryKey: incidentKey(id) })
      const row = changedIncidents.get().get(id) ?? rows.find((incident) => incident.id === id)
      if (row === undefined) count()
      else if (row.status !== status || row.severity !== severity) {
        noteIncident({ ...row, status: status as IncidentBody['status'], severity: severity as IncidentBody['severity'] })
      }
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [rows])
  return seen
}
