import type { LocalText } from '../catalogues/read-catalogue.ts'
import type { SignalReason } from './signal-reasons.ts'
import type { Evidence, PlatformSnapshot, ReadingName, Readings } from './snapshot.ts'

/** `no_data`: nothing can be concluded, neither good nor bad. */
export type SignalStatus = 'pass' | 'partial' | 'fail' | 'no_data'

/** What a value is compared with: `pass` and better passes, `partial` and better is a part, anything else fails. */
export type Thresholds = { readonly pass: number; readonly partial: number }

type Unit = 'percent' | 'days' | 'minutes' | 'classes' | 'checks'

/** A signal over the platform's state. */
export type Signal = {
  /** `S1` to `S15`. */
  readonly id: string
  readonly title: LocalText
  readonly unit: Unit
  /** Whether more or less is better. */
  readonly better: 'more' | 'less'
  readonly thresholds: Thresholds
  readonly measure: (snapshot: PlatformSnapshot) => Measurement
}

/**
 * What a signal measured. `reason` tells why there is no value, or what holds the status down: `missing`, the platform could not
 * be read; `empty`, there was nothing to measure.
 */
export type Measurement = {
  readonly value: number | undefined
  readonly reason?: SignalReason
  readonly absence?: 'missing' | 'empty'
  /** The best status that the data allows, whatever the value. */
  readonly atBest?: 'partial' | 'fail'
  readonly evidence: readonly Evidence[]
}

/** A signal's answer under given thresholds. */
export type SignalResult = {
  readonly signal: string
  readonly value: number | undefined
  readonly target: number
  readonly status: SignalStatus
  readonly absence: 'missing' | 'empty' | undefined
  /** Text in assessments that earlier versions stored. */
  readonly reason: SignalReason | string | undefined
  readonly evidence: readonly Evidence[]
}

type Answer =
  | { readonly value: number; readonly atBest?: 'partial' | 'fail'; readonly reason?: SignalReason }
  | { readonly empty: SignalReason }

type SignalSpec<Name extends ReadingName> = Omit<Signal, 'measure'> & {
  readonly reading: Name
  /** Measures data that is there; says `empty` where it holds nothing to measure. */
  readonly answer: (data: Readings[Name], at: number) => Answer
}

/** Makes a signal of one reading: without the reading, it has no value. */
export function defineSignal<Name extends ReadingName>({ reading: name, answer, ...signal }: SignalSpec<Name>): Signal {
  return {
    ...signal,
    measure: ({ readings, at }) => {
      const reading = readings[name]
      if (reading === undefined) {
        return { value: undefined, absence: 'missing', reason: { code: 'no_reading' }, evidence: [] }
      }
      const { data, evidence } = reading
      const answered = answer(data, at)
      return 'empty' in answered
        ? { value: undefined, absence: 'empty', reason: answered.empty, evidence }
        : { ...answered, evidence }
    },
  }
}

/** Compares what a signal measured with thresholds. */
export function rateSignal(signal: Signal, measurement: Measurement, thresholds: Thresholds = signal.thresholds): SignalResult {
  const { value, absence, reason, evidence } = measurement
  const status = value === undefined ? 'no_data' : rateValue(signal, measurement, { value, thresholds })
  return { signal: signal.id, value, target: thresholds.pass, status, absence, reason, evidence }
}

function rateValue(
  { better }: Signal, { atBest }: Measurement, { value, thresholds }: { readonly value: number; readonly thresholds: Thresholds },
): SignalStatus {
  const reaches = (bound: number) => (better === 'more' ? value >= bound : value <= bound)
  const status = reaches(thresholds.pass) ? 'pass' : reaches(thresholds.partial) ? 'partial' : 'fail'
  if (atBest === 'fail') return 'fail'
  return atBest === 'partial' && status === 'pass' ? 'partial' : status
}
