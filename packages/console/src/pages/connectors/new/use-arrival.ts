import { useEffect } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useConnectorList } from '../connector-queries.ts'
import { isFeed } from '../connector-types.ts'
import type { ConnectorProduct } from '../connector-types.ts'

/** How often a page looks for the first event, in milliseconds. */
export const waitMs = 2_000

/** What is known of the first events of a connector, in words too. */
type Arrival = {
  readonly hasArrived: boolean
  /** What stands in the way of a connector from which nothing has arrived. */
  readonly problem: string | undefined
  readonly text: string
}

/** Whether events of a connector have arrived; looks again until the first has. */
export function useArrival(id: string, { type }: ConnectorProduct): Arrival {
  const { data, refetch } = useConnectorList()
  const found = data?.find((one) => one.id === id)
  const count = found?.stats.events_received_total ?? 0
  const hasArrived = count > 0
  const problem = !hasArrived && found?.status === 'unhealthy' ? found.health.message : undefined
  useEffect(() => {
    if (hasArrived) return undefined
    const timer = setInterval(() => void refetch(), waitMs)
    return () => clearInterval(timer)
  }, [hasArrived, refetch])
  return { hasArrived, problem, text: isFeed(type) ? describeIndicators(count) : describeEvents(count) }
}

function describeEvents(count: number): string {
  return count > 0 ? t('connectors.arrived', { count }) : t('connectors.waiting')
}

function describeIndicators(count: number): string {
  return count > 0 ? t('connectors.feed.arrived', { count }) : t('connectors.feed.waiting')
}
