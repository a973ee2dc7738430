import { useEffect, useState } from 'react'
import { onLive } from '../../api/live.ts'
import { changedAlerts, noteAlert } from './alert-store.ts'
import type { AlertBody } from '@tripline/contract/console/alert'

/** Messages of alerts that arrive within this time are counted together. */
const gatherMs = 1_000

/**
 * Follows alerts as they come and change: rows that are loaded show the change where they are. Returns a number that grows
 * when there may be more alerts than the list has.
 */
export function useLiveAlerts(rows: readonly AlertBody[]): number {
  const [seen, setSeen] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLive((message) => {
      if (message.type === 'new_alert') {
        timer ??= setTimeout(() => {
          timer = undefined
          setSeen((before) => before + 1)
        }, gatherMs)
      } else if (message.type === 'alert_updated') {
        const { alert_id: id, status, verdict, assignee } = message.data
        const row = changedAlerts.get().get(id) ?? rows.find((alert) => alert.id === id)
        const isKnown = row === undefined || (row.status === status && row.verdict === verdict && row.assignee === assignee)
        if (!isKnown) noteAlert({ ...row, status, verdict, assignee })
      }
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [rows])
  return seen
}
