import { parseLength } from '../../../lib/time-range.ts'

/** What a correlation found, taken from its sentence. */
type CorrelationFinding = {
  /** What is counted or compared, such as `event_count`. */
  readonly type: string
  /** What was found with what is required: `5>=5`. */
  readonly comparison: string
  /** What the events have in common, by field. */
  readonly group: readonly { readonly field: string; readonly value: string }[]
  readonly window: string
  readonly windowMs: number
}

const sentence = /^correlation: (?<type>\w+) (?<found>.+) in (?<window>\d+[smhdw])(?:, .*)?$/s

/** Reads `correlation: event_count 5>=5 by user=alice in 10m`; undefined for a text of another form. */
export function readCorrelation(condition: string): CorrelationFinding | undefined {
  const { type, found, window } = sentence.exec(condition)?.groups ?? {}
  if (type === undefined || found === undefined || window === undefined) return undefined
  const [comparison = '', ...more] = found.split(' by ')
  const group = more.join(' by ').split(/, (?=[^=, ]+=)/).flatMap((pair) => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [{ field: pair.slice(0, at), value: pair.slice(at + 1) }]
  })
  return { type, comparison, group, window, windowMs: parseLength(window) }
}
