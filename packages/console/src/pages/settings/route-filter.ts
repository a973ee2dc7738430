import type { ChannelRouteBody } from '@tripline/contract/console/channel'

export const filterKinds = ['all', 'severity', 'expression'] as const

/** The filter of a route as the form shows it. */
type RouteFilter = {
  readonly kind: (typeof filterKinds)[number]
  readonly severities: readonly string[]
  /** The expression as JSON. */
  readonly text: string
}

type Expression = ChannelRouteBody['filter']

/** Reads a filter: one of severities has boxes to tick, any other stays an expression. */
export function readSeverityFilter(filter: Expression): RouteFilter {
  const text = filter === null ? '' : JSON.stringify(filter, undefined, 2)
  const usual = { severities: ['critical', 'high'], text }
  if (filter === null) return { ...usual, kind: 'all' }
  const { field, op, value, ...rest } = filter
  const isSeverities = field === 'severity' && op === 'in' && Array.isArray(value) && Object.keys(rest).length === 0
  if (!isSeverities) return { ...usual, kind: 'expression' }
  return { kind: 'severity', severities: value.filter((one) => typeof one === 'string'), text }
}

/** Prints what the form states as a filter; undefined for an expression that is no JSON object. */
export function printSeverityFilter({ kind, severities }: RouteFilter, text: string): Expression | undefined {
  if (kind === 'all') return null
  if (kind === 'severity') return { field: 'severity', op: 'in', value: [...severities] }
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? read as Expression : undefined
  } catch {
    // What is no JSON is refused beside the form.
    return undefined
  }
}
