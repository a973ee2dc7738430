import type { EngineCounts, RuleCost } from '@tripline/engine'
import { escapeControl } from '../framework/escape-control.ts'
import { limits } from '../limits.ts'
import { findCostAdvice } from './advise-on-cost.ts'

/** What a run over events came to. */
type CostRun = {
  readonly counts: EngineCounts
  readonly malformed: number
  /** Time from bytes to matches. */
  readonly matchMs: number
  readonly costs: readonly RuleCost[]
}

/** The result of `rules cost`, slowest rules first. */
type CostReport = ReturnType<typeof summarizeCosts>
type RuleRow = ReturnType<typeof toRuleRow>

/** Adds up what rules cost; of those that took no time, the one that was tried more often stands first. */
export function summarizeCosts({ counts, malformed, matchMs, costs }: CostRun) {
  const chargedNs = costs.reduce((sum, { sampledNs = 0 }) => sum + sampledNs, 0)
  const sorted = costs.toSorted((a, b) => (
    (b.sampledNs ?? 0) - (a.sampledNs ?? 0) || b.asked - a.asked || b.candidates - a.candidates || b.confirmed - a.confirmed
  ))
  return {
    rules: sorted.map((cost) => toRuleRow(cost, chargedNs)),
    totals: {
      events: counts.events,
      unrouted: counts.unrouted,
      matches: counts.matches,
      malformed,
      rules: costs.length,
      rules_without_requirement: costs.filter(({ isAnchored }) => !isAnchored).length,
      rules_not_searchable: costs.filter(({ isAnchored, isSearchable }) => isAnchored && !isSearchable).length,
      match_ms: round(matchMs, 1),
      charged_ms: round(chargedNs / 1e6, 1),
    },
  }
}

function toRuleRow(cost: RuleCost, chargedNs: number) {
  const { sampledNs = 0, metEvents } = cost
  return {
    id: cost.id,
    title: cost.title,
    share: chargedNs === 0 ? 0 : round(sampledNs / chargedNs, 4),
    ns_per_event: metEvents === 0 ? null : round(sampledNs / metEvents, 1),
    sampled_ns: sampledNs,
    met_events: metEvents,
    candidates: cost.candidates,
    asked: cost.asked,
    confirmed: cost.confirmed,
    requirement: cost.requirement,
    has_requirement: cost.isAnchored,
    is_searchable: cost.isSearchable,
    advice: findCostAdvice(cost) ?? null,
  }
}

export function printCostJson(report: CostReport): string {
  return `${JSON.stringify(report)}\n`
}

/** The slowest rules, a few lines each, then the totals: last, where a terminal shows them. */
export function printCostTable({ rules, totals }: CostReport, rowsMax: number): string {
  const head = row(['SHARE', 'NS/EVENT', 'MET', 'CANDIDATES', 'ASKED', 'CONFIRMED'], 'RULE')
  return `${head}${rules.slice(0, rowsMax).map(printRule).join('')}\n${printTotals(rules, totals)}`
}

function printRule(rule: RuleRow): string {
  const { share, ns_per_event: nsPerEvent, met_events: met, candidates, asked, confirmed } = rule
  const figures = [nsPerEvent, met, candidates, asked, confirmed].map((value) => (value === null ? '-' : formatNumber(value)))
  const notes = [`requires ${truncate(rule.requirement)}`, ...(rule.advice === null ? [] : [rule.advice])]
  return row([`${(share * 100).toFixed(1)}%`, ...figures], `${escapeControl(rule.title)} (${escapeControl(rule.id)})`)
    + notes.map((note) => `${' '.repeat(10)}${escapeControl(note)}\n`).join('')
}

const widths = [6, 10, 9, 10, 9, 9]

function row(cells: readonly string[], last: string): string {
  return `${cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  ')}  ${last}\n`
}

function printTotals(rules: readonly RuleRow[], totals: CostReport['totals']): string {
  const free = rules.filter((rule) => !rule.has_requirement).map(({ title }) => escapeControl(title)).toSorted()
  const names = free.slice(0, limits.costNamesMax).join('; ')
  const more = free.length <= limits.costNamesMax ? '' : `; and ${formatNumber(free.length - limits.costNamesMax)} more`
  const rows: readonly (readonly [string, string])[] = [
    ['events', `${formatNumber(totals.events)}, ${formatNumber(totals.unrouted)} of them of unknown logsource`],
    ['matches', formatNumber(totals.matches)],
    ['rules', `${formatNumber(totals.rules)}, ${formatNumber(free.length)} of them without a requirement, `
      + `${formatNumber(totals.rules_not_searchable)} with one that cannot be looked for`],
    ...(free.length === 0 ? [] : [['  without', names + more] as const]),
    ['matching', `${formatNumber(totals.match_ms)} ms, of which ${formatNumber(totals.charged_ms)} ms are of single rules; `
      + 'the rest they share'],
  ]
  return rows.map(([name, value]) => `${name.padEnd(10)}${value}\n`).join('')
}

function truncate(text: string): string {
  const characters = [...text]
  return characters.length <= limits.costRequirementMax ? text : `${characters.slice(0, limits.costRequirementMax - 1).join('')}…`
}

function formatNumber(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: 1 })
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
