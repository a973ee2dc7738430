import type { MeasuredValue } from '../correlation/contribution.ts'
import type { CorrelatorState } from '../correlation/correlator-state.ts'
import type { SnapshotReader } from './snapshot-reader.ts'

/** A suppression's memory, under its own words. */
export type SavedSuppression = {
  readonly definition: string
  readonly keys: readonly { readonly key: string; readonly since: number; readonly count: number }[]
}

/** Stand before each element of a list and behind the last. */
export const more = 1
export const end = 0

/** The kinds of a value. */
export const kinds = { nothing: 0, text: 1, number: 2 } as const

export const countNames = ['late', 'future', 'undated', 'ungrouped', 'unmeasured', 'evicted'] as const

export function readCounts(body: SnapshotReader): CorrelatorState['counts'] {
  const counts = { late: 0, future: 0, undated: 0, ungrouped: 0, unmeasured: 0, evicted: 0 }
  for (const name of countNames) counts[name] = body.number()
  return counts
}

export function* readSuppressions(body: SnapshotReader): Generator<SavedSuppression> {
  while (body.byte() === more) {
    const definition = body.text()
    const keys: { key: string; since: number; count: number }[] = []
    while (body.byte() === more) keys.push({ key: body.text(), since: body.number(), count: body.count() })
    yield { definition, keys }
  }
}

export function readMeasuredValue(body: SnapshotReader): MeasuredValue {
  switch (body.byte()) {
    case kinds.text:
      return body.text()
    case kinds.number:
      return body.number()
    default:
      return undefined
  }
}
