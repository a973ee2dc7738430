import { useEffect } from 'react'
import { t } from '../../../i18n/translate.ts'
import { useConnectorList } from '../connector-queries.ts'
import { isFeed } from '../connector-types.ts'
import type { ConnectorProduct } from '../connector-types.ts'

/** How often a page looks for the first event, in milliseconds. */
export const waitMs = 2_000

/** Whether events of a connector have arrived, and that in words; looks again until the first has. */
export function useArrival(id: string, { type }: ConnectorProduct): { readonly hasArrived: boolean; readonly text: string } {
  const { data, refetch } = useConnectorList()
  const count = data?.find((one) => one.id === id)?.stats.events_received_total ?? 0
  const hasArrived = count > 0
  useEffect(() => {
    if (hasArrived) return undefined
    const timer = setInterval(() => void refetch(), waitMs)
    return () => clearInterval(timer)
  }, [hasArrived, refetch])
  return { hasArrived, text: isFeed(type) ? describeIndicators(count) : describeEvents(count) }
}

function describeEvents(count: number): string {
  return count > 0 ? t('connectors.arrived', { count }) : t('connectors.waiting')
}

function describeIndicators(count: number): string {
  return count > 0 ? t('connectors.feed.arrived', { count }) : t('connectors.feed.waiting')
}
