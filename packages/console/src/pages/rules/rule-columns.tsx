import type { RuleEntry } from '@tripline/contract/console/rule'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printTactic } from '../../i18n/print-tactic.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Pill, SeverityLabel } from '../../ui/badge.tsx'
import type { Tone } from '../../ui/badge.tsx'
import { Sparkline } from '../../ui/charts/sparkline.tsx'
import type { Column } from '../../ui/table.tsx'
import styles from './rule-columns.module.css'
import { Switch } from './rule-switch.tsx'

type RuleSort = 'title' | 'level' | 'enabled' | 'matches_last_24h' | 'cost' | 'health'

/** The columns of the list, in order; without `mayEdit` the switch only shows. */
export function listRuleColumns(mayEdit: boolean): readonly Column<RuleEntry, RuleSort>[] {
  return [
    {
      id: 'level', title: t('rules.column.level'), width: '80px', sort: 'level',
      render: ({ level, severity_raw: raw }) => <SeverityLabel severity={raw ?? level} />,
    },
    {
      id: 'title', title: t('rules.column.title'), width: 'minmax(0, 2.6fr)', sort: 'title',
      render: ({ title }) => <span className={styles['strong']} title={toVisibleText(title)}>{toVisibleText(title)}</span>,
    },
    {
      id: 'source', title: t('rules.column.source'), width: 'minmax(0, 1.6fr)', minTableWidth: 760,
      render: ({ logsource }) => <Text text={printLogSource(logsource)} />,
    },
    {
      id: 'tactic', title: t('rules.column.tactic'), width: 'minmax(0, 1fr)', minTableWidth: 1280,
      render: ({ mitre }) => <Text text={mitre.tactics.map(printTactic).join(', ')} />,
    },
    {
      id: 'matches', title: t('rules.column.matches'), width: '116px', isNumber: true, sort: 'matches_last_24h',
      render: (rule) => <Matches rule={rule} />,
    },
    {
      id: 'falsePositives', title: t('rules.column.falsePositives'), width: '64px', isNumber: true, minTableWidth: 1000,
      render: (rule) => <FalsePositives rule={rule} />,
    },
    {
      id: 'cost', title: t('rules.column.cost'), width: '64px', isNumber: true, sort: 'cost', minTableWidth: 900,
      // A rule whose calls were never sampled has no cost yet.
      render: ({ cost }) => {
        if (cost === null || cost.ns_per_event_p99 === 0) return <Text text="" />
        return t('rules.nanoseconds', { value: printNumber(cost.ns_per_event_p50) })
      },
    },
    {
      id: 'health', title: t('rules.column.health'), width: '136px', sort: 'health', minTableWidth: 820,
      render: ({ health }) => <RuleHealth health={health} />,
    },
    {
      id: 'verdict', title: t('rules.column.verdict'), width: '60px', minTableWidth: 980,
      render: ({ verdict }) => <Verdict verdict={verdict} />,
    },
    {
      id: 'enabled', title: t('rules.column.enabled'), width: '40px', sort: 'enabled',
      render: (rule) => <Switch rule={rule} mayEdit={mayEdit} />,
    },
  ]
}

/** The share of false positives among the alerts that were judged in the last 7 days, with that of all as the title. */
function FalsePositives({ rule }: { readonly rule: RuleEntry }): ReactNode {
  const { stats: { true_positives: right, false_positives: wrong }, false_positive_share_7d: recent } = rule
  const print = (share: number): string => t('rules.percent', { share: printNumber(100 * share, 0) })
  const judged = right + wrong
  const title = judged === 0 ? t('rules.falsePositives.none') : t('rules.falsePositives.all', { share: print(wrong / judged) })
  return <span title={title}>{recent === null ? <Text text="" /> : print(recent)}</span>
}

/** The matches of the last 24 hours as bars and number; those of all time as the title. */
function Matches({ rule: { matches_by_hour: hours, stats } }: { readonly rule: RuleEntry }): ReactNode {
  return (
    <span className={styles['matches']} title={t('rules.matches.total', { count: stats.matches_total })}>
      <Sparkline counts={hours} />
      <span className={styles['count']}>{printNumber(hours.reduce((sum, count) => sum + count, 0))}</span>
    </span>
  )
}

const healthTones: { readonly [State in RuleEntry['health']['state']]: Tone } = {
  never_routed: 'warn', field_never_seen: 'warn', never_candidate: 'neutral', never_matched: 'neutral', matched: 'ok', running: 'ok',
  degraded: 'bad', idle: 'warn', not_running: 'neutral', broken: 'bad',
}

/** The health of a rule as a word, with the problem as its title. */
export function RuleHealth({ health: { state, problem } }: Pick<RuleEntry, 'health'>): ReactNode {
  const text = t(`rules.health.${state}`)
  return <span title={problem === null ? text : toVisibleText(`${text}: ${problem}`)}><Pill tone={healthTones[state]}>{text}</Pill></span>
}

const verdictTones = { keep: 'neutral', tune: 'warn', retire: 'bad', silent: 'neutral' } as const

/** What to do about a rule, with the reason as its title. */
function Verdict({ verdict }: Pick<RuleEntry, 'verdict'>): ReactNode {
  if (verdict === null) return <Text text="" />
  const { value, reason } = verdict
  return <span title={t(`rules.reason.${reason}`)}><Pill tone={verdictTones[value]}>{t(`rules.verdict.${value}`)}</Pill></span>
}

/** The log source of a rule, from the product down. */
export function printLogSource({ product, category, service }: RuleEntry['logsource']): string {
  return [product, category, service].filter(Boolean).join(' · ')
}

function Text({ text }: { readonly text: string }): ReactNode {
  const shown = toVisibleText(text)
  return text === '' ? <span className={styles['none']}>–</span> : <span className={styles['text']} title={shown}>{shown}</span>
}
