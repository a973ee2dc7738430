import type { ConnectorHealthBody } from '@tripline/contract/console/sources/connector'

type Status = ConnectorHealthBody['status']
type Span = { readonly from: number; readonly to: number; readonly status: Status }

/** How long a connector was in each state within a range, from its changes, the newest first. */
export function listSpans(history: ConnectorHealthBody['history'], range: { readonly from: number; readonly to: number }): readonly Span[] {
  const changes = history.toReversed().map(({ timestamp, status }) => ({ at: Date.parse(timestamp), status }))
  return changes.flatMap(({ at, status }, index) => {
    const from = Math.max(range.from, at)
    const to = Math.min(range.to, changes[index + 1]?.at ?? range.to)
    return to > from ? [{ from, to, status }] : []
  })
}
