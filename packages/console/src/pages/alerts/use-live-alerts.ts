import { useEffect, useState } from 'react'
import { onLive } from '../../api/live.ts'
import { toIso } from '../../lib/time-range.ts'
import { changedAlerts, noteAlert, noteOther } from './alert-store.ts'
import type { AlertBody } from '@tripline/contract/console/alert'

/** Messages of alerts that arrive within this time are counted together. */
const gatherMs = 1_000

/**
 * Follows alerts as they come and change: rows that are loaded show the change where they are, and who made it unless that is
 * the user of `email`. Returns a number that grows
 * when there may be more alerts than the list has.
 */
export function useLiveAlerts(rows: readonly AlertBody[], email: string): number {
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
        const { alert_id: id, status, verdict, assignee, updated_by: by } = message.data
        const row = changedAlerts.get().get(id) ?? rows.find((alert) => alert.id === id)
        const isKnown = row === undefined || (row.status === status && row.verdict === verdict && row.assignee === assignee)
        if (isKnown) return
        noteAlert({ ...row, status, verdict, assignee })
        if (by !== null && by !== email) noteOther(id, by, toIso(Date.now()))
      }
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [rows, email])
  return seen
}
