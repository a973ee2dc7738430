import { useQuery } from '@tanstack/react-query'
import type { AlertListBody } from '@tripline/contract/console/alert'
import { useEffect, useState } from 'react'
import { callApi } from '../api/client.ts'
import { onLive } from '../api/live.ts'
import { queryClient } from '../api/query-client.ts'

/** The pages whose open entries are counted: what is open there, and the messages after which that may be another number. */
const countedPages: { readonly [path: string]: { readonly status: string; readonly messages: readonly string[] } } = {
  '/alerts': { status: 'open', messages: ['new_alert', 'alert_updated'] },
  '/incidents': { status: 'open,investigating,contained,eradicated', messages: ['incident_updated'] },
}

/** Messages that arrive within this time lead to one request. */
const gatherMs = 2_000

/** A number of entries, which is a lower bound where there are very many. */
type OpenCount = { readonly count: number; readonly isLowerBound: boolean }

/** How many entries of a page are open, where any is: asked for once the page is idle, and when messages tell of a change. */
export function useOpenCount(path: string): OpenCount | undefined {
  const [isIdle, setIsIdle] = useState(false)
  const counted = countedPages[path]
  useEffect(() => {
    if (counted === undefined) return undefined
    // What the page itself shows comes first.
    const idle = requestIdleCallback(() => setIsIdle(true))
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = onLive(({ type }) => {
      if (!counted.messages.includes(type)) return
      timer ??= setTimeout(() => {
        timer = undefined
        void queryClient.invalidateQueries({ queryKey: ['open', path] })
      }, gatherMs)
    })
    return () => {
      cancelIdleCallback(idle)
      clearTimeout(timer)
      stop()
    }
  }, [path, counted])
  const { data } = useQuery({
    queryKey: ['open', path],
    queryFn: async ({ signal }) => {
      const query = { status: counted?.status, limit: '1' }
      const { pagination, query_warnings: warnings } = await callApi<AlertListBody>(`/v1${path}`, { query, signal })
      return { count: pagination.total, isLowerBound: warnings.includes('total_estimated') }
    },
    enabled: isIdle && counted !== undefined,
  })
  return data?.count === 0 ? undefined : data
}
