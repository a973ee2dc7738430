import { findingSeverities } from '@tripline/model/assets/finding'
import type { ReportLanguage } from '@tripline/model/report'
import type { Overview } from '../overview/overview.ts'
import type { FrameworkState } from '../compliance/compliance.ts'
import { printCompared, printCount, printDuration, printListCount, printLocal, severityColors, tableOrNothing } from './report-blocks.ts'
import type { OverviewFigures, TopCounts } from './read-figures.ts'
import { getReportWords } from './report-words.ts'
import type { Words } from './report-words.ts'
import type { Report, ReportBlock } from './report.ts'

type Terms = { readonly language: ReportLanguage; readonly tenant: string }

const levels = ['critical', 'high', 'medium', 'low', 'informational'] as const

/** Makes the executive report: two pages about volume, answers, what stood out, what is open and what was done. */
export function createExecutiveReport(figures: OverviewFigures, terms: Terms): Report {
  const word = getReportWords(terms.language)
  return {
    ...describe('executive', figures, terms),
    sections: [
      { title: word('summary'), blocks: [...listSummary(figures.overview, terms.language, word), drawDays(figures.overview, word)] },
      { title: word('detections'), blocks: listTop(figures.top, terms.language, word) },
      { title: word('attack'), blocks: [countCovered(figures, terms.language, word)] },
      { title: word('coverage'), blocks: [listFrameworks(figures, word)] },
      { title: word('risks'), blocks: listRisks(figures, terms.language, word) },
      { title: word('done'), blocks: [listActions(figures.overview, terms.language, word)] },
    ],
  }
}

/** Makes the weekly report of the SOC: each day, each tactic, each incident, and sources that fell silent. */
export function createWeeklyReport(figures: OverviewFigures, terms: Terms): Report {
  const { overview, incidents } = figures
  const word = getReportWords(terms.language)
  const { timezone } = overview
  const incidentRows = incidents.map(({ title, level, status, createdAt }) =>
    [title, word(level), status, printLocal(createdAt, timezone)])
  const silentRows = overview.silent.map(({ connector, lastEventAt }) => [connector.name, printLocal(lastEventAt, timezone)])
  return {
    ...describe('soc_weekly', figures, terms),
    sections: [
      { title: word('summary'), blocks: [...listSummary(overview, terms.language, word), drawDays(overview, word)] },
      { title: word('byDay'), blocks: [listDays(overview, terms.language, word)] },
      { title: word('detections'), blocks: listTop(figures.top, terms.language, word) },
      { title: word('tactics'), blocks: [listTactics(overview, terms.language, word)] },
      { title: word('attack'), blocks: [countCovered(figures, terms.language, word), listCovered(figures, terms.language, word)] },
      { title: word('incidentList'), blocks: [tableOrNothing(
        [[word('title'), 50], [word('severity'), 14], [word('status'), 16], [word('created'), 20]], incidentRows, word,
      )] },
      { title: word('risks'), blocks: listRisks(figures, terms.language, word) },
      { title: word('silent'), blocks: [tableOrNothing([[word('source'), 70], [word('lastEvent'), 30]], silentRows, word)] },
      { title: word('done'), blocks: [listActions(overview, terms.language, word)] },
    ],
  }
}

function describe(
  kind: 'executive' | 'soc_weekly', { overview: { period, timezone } }: OverviewFigures, { language, tenant }: Terms,
): Pick<Report, 'language' | 'title' | 'subtitle' | 'at'> {
  const word = getReportWords(language)
  const range = `${printLocal(period.from, timezone)} – ${printLocal(period.to, timezone)} (${timezone})`
  return { language, title: word(kind), subtitle: [`${word('tenant')}: ${tenant}`, `${word('period')}: ${range}`], at: period.to }
}

function listSummary(overview: Overview, language: ReportLanguage, word: Words): ReportBlock[] {
  const { alerts, incidents, events, acknowledged, closed } = overview
  const sum = (counts: Overview['alerts']['current']): number => counts.reduce((total, { count }) => total + count, 0)
  const compare = (current: number, previous: number): string => printCompared(current, previous, word, language)
  const time = ({ current, previous }: Overview['closed']): string =>
    `${printDuration(current.meanMs, language)} (${word('before')} ${printDuration(previous.meanMs, language)})`
  return [
    { kind: 'figures', figures: [
      { label: word('alerts'), value: compare(sum(alerts.current), sum(alerts.previous)) },
      { label: word('incidents'), value: compare(incidents.activeLevels.length, incidents.activeBefore) },
      { label: word('events'), value: compare(events.current, events.previous) },
      { label: word('mtta'), value: time(acknowledged) },
      { label: word('mttr'), value: time(closed) },
    ] },
    { kind: 'bar', label: word('bySeverity'), shares: levels.map((level) => ({
      label: word(level), color: severityColors[level], count: sum(alerts.current.filter((one) => one.level === level)),
    })) },
  ]
}

function drawDays(overview: Overview, word: Words): ReportBlock {
  return { kind: 'columns', label: word('byDay'), columns: countDays(overview).map(({ day, counts }) => ({
    label: day, count: counts.reduce((sum, count) => sum + count, 0),
  })) }
}

/** The alerts of each local day, by level. */
function countDays({ days, alerts, timezone }: Overview): readonly { readonly day: string; readonly counts: readonly number[] }[] {
  return days.map((day, span) => ({
    day: printLocal(day, timezone).slice(0, 10),
    counts: levels.map((level) => alerts.current.reduce(
      (sum, one) => sum + (one.span === span && one.level === level ? one.count : 0), 0,
    )),
  }))
}

function listDays(overview: Overview, language: ReportLanguage, word: Words): ReportBlock {
  const rows = countDays(overview).map(({ day, counts }) =>
    [day, ...counts.map((count) => printCount(count, language)), printCount(counts.reduce((sum, count) => sum + count, 0), language)])
  return tableOrNothing([[word('day'), 20], ...levels.map((level) => [word(level), 14] as const), [word('total'), 14]], rows, word)
}

function listTop({ rules, hosts, users, countedOf }: TopCounts, language: ReportLanguage, word: Words): ReportBlock[] {
  const blocks = ([['rule', rules], ['host', hosts], ['user', users]] as const).flatMap(([name, counts]): ReportBlock[] =>
    counts.length === 0 ? [] : [tableOrNothing(
      [[word(name), 80], [word('count'), 20]], counts.map(({ label, count }) => [label, printCount(count, language)]), word,
    )])
  if (blocks.length === 0) return [{ kind: 'text', text: word('nothing') }]
  if (countedOf === undefined) return blocks
  return [{ kind: 'text', text: `${word('counted')} ${printCount(countedOf, language)}` }, ...blocks]
}

function listTactics({ tactics: { current, previous } }: Overview, language: ReportLanguage, word: Words): ReportBlock {
  const before = new Map(previous.map(({ label, sum }) => [label, sum]))
  const rows = current.filter(({ label }) => label !== '')
    .map(({ label, sum }) => [label, printCount(sum, language), printCount(before.get(label) ?? 0, language)])
  return tableOrNothing([[word('tactic'), 50], [word('now'), 25], [word('previous'), 25]], rows, word)
}

/** How much of ATT&CK the rules cover: a technique by one rule that is enabled, sees data and can match. */
function countCovered({ attack: { techniques, totals } }: OverviewFigures, language: ReportLanguage, word: Words): ReportBlock {
  const coveredCount = techniques.filter(({ effective }) => effective > 0).length
  return { kind: 'figures', figures: [
    { label: word('techniques'), value: printPart(coveredCount, techniques.length, language) },
    { label: word('enabledRules'), value: printPart(totals.enabled, totals.rules, language) },
    { label: word('effectiveRules'), value: printPart(totals.effective, totals.enabled, language) },
  ] }
}

function listCovered({ attack: { tactics } }: OverviewFigures, language: ReportLanguage, word: Words): ReportBlock {
  const rows = tactics.filter(({ techniques }) => techniques > 0).map((tactic) => [
    tactic.tactic, printPart(tactic.coveredTechniques, tactic.techniques, language),
    ...[tactic.enabled, tactic.withData, tactic.effective, tactic.matches].map((count) => printCount(count, language)),
  ])
  const columns = [
    [word('tactic'), 28], [word('techniques'), 20], [word('enabledRules'), 13], [word('withData'), 13], [word('effectiveRules'), 13],
    [word('matches'), 13],
  ] as const
  return tableOrNothing(columns, rows, word)
}

function printPart(count: number, total: number, language: ReportLanguage): string {
  return `${printCount(count, language)} / ${printCount(total, language)}`
}

function listFrameworks({ frameworks }: OverviewFigures, word: Words): ReportBlock {
  const print = ({ assessment, coverage }: FrameworkState): string =>
    assessment === undefined || coverage.assessedShare === 0
      ? word('notAssessed')
      : `${coverage.score} % (${word('share')} ${coverage.assessedShare} %)`
  const rows = frameworks.map(({ current, previous }) => [current.catalogue.name, print(current), print(previous)])
  return tableOrNothing([[word('framework'), 30], [word('now'), 35], [word('previous'), 35]], rows, word)
}

function listRisks(
  { overview: { waiting, timezone }, openBySeverity, worst }: OverviewFigures, language: ReportLanguage, word: Words,
): ReportBlock[] {
  const rows = worst.map(({ title, severity, asset, dueAt }) =>
    [title, word(severity), asset, printLocal(dueAt, timezone).slice(0, 10)])
  return [
    { kind: 'figures', figures: [
      { label: word('waiting'), value: printListCount(waiting.alertCount, language) },
      { label: word('overdue'), value: printListCount(waiting.findingCount, language) },
    ] },
    { kind: 'bar', label: word('open'), shares: findingSeverities.toReversed().map((severity) => ({
      label: word(severity), count: openBySeverity[severity], color: severityColors[severity],
    })) },
    tableOrNothing([[word('finding'), 46], [word('severity'), 14], [word('asset'), 24], [word('due'), 16]], rows, word),
  ]
}

function listActions({ acknowledged, closed, incidents, rulesChanged }: Overview, language: ReportLanguage, word: Words): ReportBlock {
  const rows = ([
    ['acknowledged', { current: acknowledged.current.count, previous: acknowledged.previous.count }],
    ['closed', { current: closed.current.count, previous: closed.previous.count }],
    ['incidentsOpened', incidents.opened], ['incidentsClosed', incidents.closed], ['rulesChanged', rulesChanged],
  ] as const).map(([name, { current, previous }]) => [word(name), printCount(current, language), printCount(previous, language)])
  return tableOrNothing([[word('action'), 50], [word('now'), 25], [word('previous'), 25]], rows, word)
}
