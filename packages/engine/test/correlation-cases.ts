import { load } from 'js-yaml'
import { compileRules } from '../src/index.ts'
import type { Compilation, EngineOptions, EventObject } from '../src/index.ts'
import { fixtureNames, readFixture } from './read-fixtures.ts'

/** A file of the public conformance suite for correlations; `fixtures/correlation/README.md` says what its keys mean. */
export type ConformanceFile = {
  readonly title: string
  readonly about: string
  readonly rules: readonly RuleMap[]
  readonly correlation?: RuleMap
  readonly cases: readonly ConformanceCase[]
}

export type ConformanceCase = {
  readonly title: string
  readonly correlation?: RuleMap
  readonly rules?: readonly RuleMap[]
  readonly options?: ConformanceOptions
  readonly finish?: boolean
  readonly events?: readonly ConformanceStep[]
  readonly matches: readonly ConformanceMatch[]
  readonly counts?: { readonly [name: string]: number }
  readonly reports?: { readonly [rule: string]: readonly string[] }
}

/** A rule, or its `correlation` section, as YAML states it. */
type RuleMap = { readonly [key: string]: unknown }

type ConformanceOptions = {
  readonly allowed_lateness_ms?: number
  readonly future_tolerance_ms?: number
  readonly firing?: 'on_true' | 'every' | 'once_per_window' | 'reset'
}

/** An event, or an instant to which the clock is moved. */
export type ConformanceStep = { readonly advance: number } | ConformanceEvent
type ConformanceEvent = {
  readonly at?: number
  readonly timestamp?: string
  readonly received_at?: number
  readonly logsource?: object
  /** So many events instead of one, each `every` milliseconds after the one before; `{n}` in a text is the number of each. */
  readonly repeat?: number
  readonly every?: number
  readonly [field: string]: unknown
}

/** A match that is expected: of a detection rule by its event, of a correlation by when it was decided. */
export type ConformanceMatch =
  | { readonly rule: string; readonly event: number }
  | {
    readonly rule: string
    readonly at: number
    readonly group?: { readonly [field: string]: string }
    readonly value?: number
    readonly events?: readonly number[]
  }

/** The instant that times of a case count from. */
export const startAt = Date.UTC(2026, 0, 5, 8)

/** All files of the suite. */
export function conformanceFiles(): ConformanceFile[] {
  return fixtureNames('correlation', '.yml').map((name) => load(readFixture(`correlation/${name}`)) as ConformanceFile)
}

/** The steps of a case, each event as often as it is repeated. */
export function stepsOf({ events = [] }: ConformanceCase): readonly ConformanceStep[] {
  return events.flatMap((step): readonly ConformanceStep[] => {
    if (isAdvance(step)) return [step]
    const { repeat = 1, every = 0, at, ...fields } = step
    return Array.from({ length: repeat }, (_, n) => {
      const own = Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value.replace('{n}', String(n)) : value])
      return { ...(at === undefined ? {} : { at: at + n * every }), ...Object.fromEntries(own) }
    })
  })
}

/** Compiles the rules of a case: those of the file, its own, and its correlation. */
export function compileCase(file: ConformanceFile, { rules = [], correlation }: ConformanceCase): Compilation {
  const section = { ...file.correlation, ...correlation }
  const main = { title: 'Correlation', name: 'correlation', id: '5ee10a6e-0000-4000-8000-000000000001', correlation: withoutNulls(section) }
  const own = Object.keys(section).length === 0 ? [] : [main]
  return compileRules([...file.rules, ...own, ...rules].map((rule) => ({ text: JSON.stringify(rule), path: String(rule['name']) })))
}

/** A key that a case sets to null is left out, so that it can do without what the file states. */
function withoutNulls(section: RuleMap): RuleMap {
  return Object.fromEntries(Object.entries(section).filter(([, value]) => value !== null))
}

/** The options of an engine that runs a case. */
export function engineOptionsOf({ options = {} }: ConformanceCase): EngineOptions {
  const { allowed_lateness_ms, future_tolerance_ms, firing } = options
  return {
    correlation: {
      ...(allowed_lateness_ms === undefined ? {} : { allowedLatenessMs: allowed_lateness_ms }),
      ...(future_tolerance_ms === undefined ? {} : { futureToleranceMs: future_tolerance_ms }),
      ...(firing === undefined ? {} : { firing }),
    },
  }
}

export function isAdvance(step: ConformanceStep): step is { readonly advance: number } {
  return 'advance' in step
}

/** An event of a case as an engine takes it. */
export function eventOf({ at, timestamp, received_at: _received, logsource = { category: 'conformance' }, ...fields }: ConformanceEvent): EventObject {
  const stated = timestamp ?? (at === undefined ? undefined : new Date(startAt + at).toISOString())
  return { ...(stated === undefined ? {} : { '@timestamp': stated }), _logsource: logsource, ...fields }
}

/** When an event of a case arrived, if it says so. */
export function receivedAtOf({ received_at }: ConformanceEvent): { readonly receivedAt?: number } {
  return received_at === undefined ? {} : { receivedAt: startAt + received_at }
}
