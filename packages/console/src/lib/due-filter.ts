/** Minutes until an alert or an incident of a severity is due; null where it has no target. */
type Targets = { readonly [severity in 'critical' | 'high' | 'medium' | 'low']: number | null }
type Comparison = { readonly field: string; readonly op: string; readonly value: string }
type DueFilter = Comparison | { readonly or: readonly { readonly and: readonly Comparison[] }[] }

export const dueStates = ['overdue', 'on_track'] as const

/** The filter of the API for alerts or incidents by whether their time is over; it says nothing of whether they are open. */
export function buildDueFilter(state: (typeof dueStates)[number], targets: Targets | undefined, now: number): DueFilter {
  const or = Object.entries(targets ?? {}).flatMap(([severity, minutes]) => {
    if (minutes === null) return []
    const value = new Date(now - minutes * 60_000).toISOString()
    const created = { field: 'created_at', op: state === 'overdue' ? 'lte' : 'gt', value }
    return [{ and: [{ field: 'severity', op: 'eq', value: severity }, created] }]
  })
  // Without a target nothing is due, and nothing is older than this.
  return or.length === 0 ? { field: 'created_at', op: 'lt', value: '1970-01-01T00:00:00Z' } : { or }
}
