import type { JobsRound } from './benchmark-jobs.ts'
import type { ExpectedCounts, Round, Benchmark } from './benchmark-rounds.ts'
import type { CompileMeasurement } from './measure-compile.ts'

type BenchMeasurements = {
  readonly trial: Benchmark
  readonly answers: ExpectedCounts
  readonly rounds: readonly Round[]
  readonly compiled: CompileMeasurement
  /** Which clock the times are of. */
  readonly clockName: 'thread cpu' | 'wall'
  readonly jobs: number
  /** None when no pool was timed. */
  readonly jobsRounds: readonly JobsRound[]
}

/** What a run of `bench` says; a figure that could not be measured is null. */
type BenchReport = ReturnType<typeof summarize>

export function summarize({ trial, answers, rounds, compiled, clockName, jobs, jobsRounds }: BenchMeasurements) {
  const { sample, ruleSet: { rules } } = trial
  return {
    events: sample.eventCount,
    events_timed: sample.timedCount,
    malformed: sample.malformedCount,
    events_compared_plainly: answers.plainCount,
    stride: sample.stride,
    rules: rules.length,
    matches: answers.matchCount,
    ...summarizeRounds(rounds, sample.timedCount),
    ...(jobsRounds.length > 0 && summarizeJobs(jobs, jobsRounds, sample.timedCount)),
    compile_ms: formatInteger(compiled.compileMs),
    heap_bytes_per_rule: computeBytesPerRule(compiled.warmBytes, rules.length),
    heap_bytes_per_rule_compiled: computeBytesPerRule(compiled.compiledBytes, rules.length),
    clock: clockName,
  }
}

/** Medians over the rounds; ratios are taken within a round, where both sides met the same neighbours. */
export function summarizeRounds(rounds: readonly Round[], timedCount: number) {
  const perEvent = (ms: number): number => (ms * 1e6) / timedCount
  const totalOverParse = rounds.map(({ totalMs, parseMs }) => totalMs / parseMs)
  const total = perEvent(median(rounds.map(({ totalMs }) => totalMs)))
  return {
    json_parse_ns_per_event: formatInteger(perEvent(median(rounds.map(({ parseMs }) => parseMs)))),
    total_ns_per_event: formatInteger(total),
    objects_match_ns_per_event: formatInteger(perEvent(median(rounds.map(({ matchMs }) => matchMs)))),
    total_over_json_parse: roundRatio(median(totalOverParse)),
    objects_match_over_json_parse: roundRatio(median(rounds.map(({ matchMs, parseMs }) => matchMs / parseMs))),
    spread: { min: roundRatio(Math.min(...totalOverParse)), max: roundRatio(Math.max(...totalOverParse)) },
    rounds: rounds.length,
    events_per_second: formatInteger(1e9 / total),
  }
}

function summarizeJobs(jobs: number, rounds: readonly JobsRound[], timedCount: number) {
  const speedUps = rounds.map(({ oneMs, severalMs }) => oneMs / severalMs)
  return {
    jobs,
    jobs_events_per_second: formatInteger((timedCount * 1000) / median(rounds.map(({ severalMs }) => severalMs))),
    jobs_over_one: roundRatio(median(speedUps)),
    jobs_spread: { min: roundRatio(Math.min(...speedUps)), max: roundRatio(Math.max(...speedUps)) },
  }
}

export function printBenchJson(report: BenchReport): string {
  return `${JSON.stringify(report)}\n`
}

/** The same as a table for people, with a sentence for every figure. */
export function printBenchTable(report: BenchReport): string {
  const { spread } = report
  const timed = `${formatNumber(report.events)} (the last ${formatNumber(report.events_timed)} are timed)`
  const sampled = report.stride === 1 ? '' : `, one of ${report.stride} blocks of the input`
  const memory = report.heap_bytes_per_rule === null ? 'not measured' : `${formatNumber(report.heap_bytes_per_rule)} bytes per rule, `
    + `of them ${formatNumber(report.heap_bytes_per_rule_compiled)} before the first event`
  const rows: readonly (readonly [string, string])[] = [
    ['events', timed + sampled],
    ['rules', formatNumber(report.rules)],
    ['matches', formatNumber(report.matches)],
    ['JSON.parse alone', `${formatNumber(report.json_parse_ns_per_event)} ns per event`],
    ['bytes to matches', `${formatNumber(report.total_ns_per_event)} ns per event`],
    ['  over JSON.parse', `${formatNumber(report.total_over_json_parse)} (${formatNumber(spread.min)} to ${formatNumber(spread.max)}, `
      + `${report.rounds} rounds)`],
    ['objects to matches', `${formatNumber(report.objects_match_ns_per_event)} ns per event`],
    ['  over JSON.parse', formatNumber(report.objects_match_over_json_parse)],
    ['events per second', `${formatNumber(report.events_per_second)} on one thread`],
    ...jobsRows(report),
    ['compiling', `${formatNumber(report.compile_ms)} ms`],
    ['memory', memory],
    ['clock', report.clock],
  ]
  return rows.map(([name, value]) => `${name.padEnd(20)}${value}\n`).join('')
}

function jobsRows({ jobs, jobs_spread: spread, ...report }: BenchReport): [string, string][] {
  if (jobs === undefined || spread === undefined) return []
  const { jobs_events_per_second: eventsPerSecond = null, jobs_over_one: speedUp = null } = report
  return [
    ['  with workers', `${formatNumber(eventsPerSecond)} with ${jobs} workers, wall time`],
    ['  over one worker', `${formatNumber(speedUp)} (${formatNumber(spread.min)} to ${formatNumber(spread.max)})`],
  ]
}

/** The middle of a list, of an even one the mean of both; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2
}

function formatNumber(value: number | null): string {
  return value === null ? 'not measured' : value.toLocaleString('en', { maximumFractionDigits: 3 })
}

function computeBytesPerRule(bytes: number | undefined, ruleCount: number): number | null {
  return bytes === undefined ? null : formatInteger(bytes / ruleCount)
}

function formatInteger(value: number): number | null {
  return Number.isFinite(value) ? Math.round(value) : null
}

/** A clock in steps may give a short round no time at all. */
function roundRatio(value: number): number | null {
  return Number.isFinite(value) ? Math.round(value * 1000) / 1000 : null
}
