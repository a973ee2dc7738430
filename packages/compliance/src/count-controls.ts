import type { ControlResult, ControlStatus } from './assess.ts'

/** How a framework stands in numbers; the four counts always sum to `totalControls`. */
type ControlCounts = {
  readonly totalControls: number
  readonly compliant: number
  readonly partial: number
  readonly nonCompliant: number
  readonly notAssessed: number
  /** Of the controls not assessed, those that were, until their evidence was lost. */
  readonly lost: number
  /** Controls that signals can answer. */
  readonly assessable: number
  /** Points reached in percent of those assessed or lost, with one decimal: 1 if compliant, 0.5 if partial. 0 if none is. */
  readonly score: number
  /** Percent of all controls that were assessed, with one decimal. */
  readonly assessedShare: number
  readonly method: 'automatic' | 'manual' | 'mixed' | 'none'
}

/** Counts the results of a framework. */
export function countControls(controls: readonly ControlResult[]): ControlCounts {
  const count = (wanted: ControlStatus) => controls.filter(({ status }) => status === wanted).length
  const [compliant, partial, nonCompliant, notAssessed] =
    [count('compliant'), count('partial'), count('non_compliant'), count('not_assessed')]
  const lost = controls.filter(({ lostSince }) => lostSince !== undefined).length
  const assessed = compliant + partial + nonCompliant
  return {
    totalControls: controls.length, compliant, partial, nonCompliant, notAssessed, lost,
    assessable: controls.filter(({ isAssessable }) => isAssessable).length,
    score: toPercent(compliant + partial / 2, assessed + lost),
    assessedShare: toPercent(assessed, controls.length),
    method: nameMethod(controls),
  }
}

/** A share in percent with one decimal, halves rounded up; 0 of nothing. */
function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10
}

function nameMethod(controls: readonly ControlResult[]): ControlCounts['method'] {
  const methods = new Set(controls.map(({ method }) => method).filter((method) => method !== 'none'))
  const [only] = methods
  if (only === undefined) return 'none'
  return methods.size === 1 ? only : 'mixed'
}

/** A control whose status differs between two assessments. */
export type ControlChange = {
  readonly framework: string
  readonly control: string
  readonly from: ControlStatus
  readonly to: ControlStatus
}

/** The controls whose status changed; a control that was never assessed changes from `not_assessed`. */
export function findChanges(
  framework: string, before: readonly ControlResult[] | undefined, after: readonly ControlResult[],
): ControlChange[] {
  const known = new Map(before?.map(({ control, status }) => [control, status]))
  return after.flatMap(({ control, status }) => {
    const from = known.get(control) ?? 'not_assessed'
    return from === status ? [] : [{ framework, control, from, to: status }]
  })
}
