import type { Catalogue } from './catalogues/read-catalogue.ts'
import type { ControlMaps, ControlNeed } from './maps/control-map.ts'
import { rateSignal } from './signals/define-signal.ts'
import type { Measurement, Signal, SignalResult } from './signals/define-signal.ts'
import type { PlatformSnapshot } from './signals/snapshot.ts'

/** How a control stands. `not_assessed`: nothing is claimed, neither good nor bad. */
const controlStatuses = ['compliant', 'partial', 'non_compliant', 'not_assessed'] as const

export type ControlStatus = (typeof controlStatuses)[number]

/** Who answered: signals, a person, or neither yet. */
type AssessmentMethod = 'automatic' | 'manual' | 'none'

/** The statement of a person about a control. */
export type Attestation = {
  readonly control: string
  readonly status: Exclude<ControlStatus, 'not_assessed'>
  /** Who attested, as the audit trail names people. */
  readonly by: string
  readonly at: number
  /** The instant from which it says nothing more. */
  readonly expiresAt: number
  readonly note: string
  /** Where the proof lies: a URL, or the name and hash of a file that a person keeps. */
  readonly proof: { readonly url: string } | { readonly file: string; readonly sha256: string }
}

/** The result of an assessment for a control. */
export type ControlResult = {
  readonly control: string
  readonly status: ControlStatus
  readonly method: AssessmentMethod
  readonly isAssessable: boolean
  readonly signals: readonly SignalResult[]
  /** Since when a control that was assessed has lost its evidence; it counts as nothing reached until evidence returns. */
  readonly lostSince: number | undefined
  /** What was attested, where a person answered. */
  readonly attestation?: Omit<Attestation, 'control' | 'note'>
}

/** The results of one framework at an instant. */
export type FrameworkAssessment = { readonly framework: string; readonly at: number; readonly controls: readonly ControlResult[] }

type AssessmentInput = {
  readonly catalogue: Catalogue
  readonly maps: ControlMaps
  readonly signals: readonly Signal[]
  readonly snapshot: PlatformSnapshot
  readonly attestations: readonly Attestation[]
  /** The assessment before this one: it tells which evidence is lost. */
  readonly previous?: FrameworkAssessment | undefined
}

/**
 * Assesses a framework. A control with signals is compliant if all that it needs pass, and not assessed if one has no data; an
 * attestation that has not expired counts where signals say nothing. Nothing is compliant by absence.
 */
export function assessFramework(input: AssessmentInput): FrameworkAssessment {
  const { catalogue, maps, signals, snapshot, previous } = input
  const bySignal = new Map(signals.map((signal) => [signal.id, { signal, measurement: signal.measure(snapshot) }]))
  const before = new Map(previous?.controls.map((result) => [result.control, result]))
  const attested = new Map(
    input.attestations.filter(({ at, expiresAt }) => at <= snapshot.at && snapshot.at < expiresAt).map((one) => [one.control, one]),
  )
  const needs = maps[catalogue.token] ?? {}
  const controls = catalogue.controls.map(({ id }): ControlResult => {
    const need = needs[id]
    const results = need === undefined ? [] : rateNeed(need, bySignal)
    const automatic = need === undefined ? 'not_assessed' : combine(need, results)
    const [isAssessable, manual] = [need !== undefined, attested.get(id)]
    if (automatic !== 'not_assessed') {
      return { control: id, status: automatic, method: 'automatic', isAssessable, signals: results, lostSince: undefined }
    }
    const lostSince = findLoss({ before: before.get(id), results, isAssessable, at: snapshot.at })
    // What a person said before evidence was lost does not stand in for it.
    if (manual !== undefined && (lostSince === undefined || manual.at > lostSince || wasManual(before.get(id)))) {
      const { control: _control, note: _note, ...attestation } = manual
      return { control: id, status: manual.status, method: 'manual', isAssessable, signals: results, lostSince: undefined, attestation }
    }
    return { control: id, status: 'not_assessed', method: 'none', isAssessable, signals: results, lostSince }
  })
  return { framework: catalogue.token, at: snapshot.at, controls }
}

type Measured = { readonly signal: Signal; readonly measurement: Measurement }

function rateNeed({ signals }: ControlNeed, bySignal: ReadonlyMap<string, Measured>): SignalResult[] {
  return signals.map(({ signal: id, thresholds }) => {
    const measured = bySignal.get(id)
    if (measured === undefined) throw new Error(`a control map names the unknown signal ${id}`)
    return rateSignal(measured.signal, measured.measurement, thresholds)
  })
}

/** All: the worst, unless one has no data. Any: the best of those with data. */
function combine({ of }: ControlNeed, results: readonly SignalResult[]): ControlStatus {
  const known = results.filter(({ status }) => status !== 'no_data')
  if (known.length === 0 || (of === 'all' && known.length < results.length)) return 'not_assessed'
  const passing = known.filter(({ status }) => status === 'pass').length
  if (of === 'any' ? passing > 0 : passing === known.length) return 'compliant'
  const hasFailed = of === 'all' && known.some(({ status }) => status === 'fail')
  const hasPart = passing > 0 || known.some(({ status }) => status === 'partial')
  return !hasFailed && hasPart ? 'partial' : 'non_compliant'
}

type LossInput = {
  readonly before: ControlResult | undefined
  readonly results: readonly SignalResult[]
  readonly isAssessable: boolean
  readonly at: number
}

/**
 * Since when evidence is lost that there was before: a reading that cannot be taken any more, or an attestation that is gone.
 * Where there was merely nothing to measure, nothing is lost.
 */
function findLoss({ before, results, isAssessable, at }: LossInput): number | undefined {
  if (before === undefined) return undefined
  const wasCounted = before.status !== 'not_assessed' || before.lostSince !== undefined
  if (!wasCounted) return undefined
  const isMissing = results.some(({ absence }) => absence === 'missing')
  return isMissing || wasManual(before) || (before.lostSince !== undefined && !isAssessable) ? before.lostSince ?? at : undefined
}

function wasManual(before: ControlResult | undefined): boolean {
  return before?.method === 'manual'
}
