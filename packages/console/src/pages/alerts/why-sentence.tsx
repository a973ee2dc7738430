import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { ExplanationBody } from '@tripline/contract/console/rule'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import styles from './why-sentence.module.css'

type Comparison = Extract<ExplanationBody, { readonly op: string }>

/** Comparisons that the sentence names; the tree below it has all. */
const namedMax = 4

/** Words for the operators of comparisons that people meet most; others are shown as they are. */
const operatorWords = {
  contains: 'contains',
  endswith: 'endswith',
  startswith: 'startswith',
  eq: 'equals',
  re: 're',
  cidr: 'cidr',
  fieldref: 'fieldref',
  exists: 'exists',
} as const

const operatorSigns: { readonly [operator: string]: string } = { gt: '>', gte: '≥', lt: '<', lte: '≤', neq: '≠' }

/**
 * An operator in words: how values are combined and spelled (`|all`, `|cased`) does not change what the sentence says. What is done
 * to the value before it is compared stands before the operator: `hour|lt` is "hour <".
 */
export function describeOperator(op: string): string {
  const words = op.split('|').filter((word) => word !== 'all' && word !== 'cased' && word !== 'windash')
  return words.map(describeWord).join(' ')
}

/** Operators whose values are texts with wildcards, and how these are combined and spelled. */
const textWords = new Set(['eq', 'contains', 'startswith', 'endswith', 'all', 'cased', 'windash'])

/**
 * A comparison in words, and what it looks for. Values of keywords, and others that are compared as a whole, have wildcards at their
 * ends: `*password*` reads as "contains password".
 */
export function describeComparison(op: string, pattern: string): readonly [words: string, value: string] {
  const [, begin = '', inner = '', end = ''] = /^(\*?)([^*?]*[^*?\\])(\*?)$/.exec(pattern) ?? []
  const words = op.split('|')
  const isWhole = words.every((word) => word === 'eq' || word === 'all' || word === 'cased')
  if (!isWhole || inner === '' || begin + end === '') {
    // A star that is meant as such is escaped in rules, and needs no escape where nothing else has a meaning.
    const isText = words.every((word) => textWords.has(word)) && !/[*?]/.test(pattern.replaceAll(/\\[*?\\]/g, ''))
    return [describeOperator(op), isText ? pattern.replaceAll(/\\([*?\\])/g, '$1') : pattern]
  }
  const meant = begin === '' ? 'startswith' : end === '' ? 'endswith' : 'contains'
  return [describeWord(meant), inner]
}

function describeWord(word: string): string {
  if (Object.hasOwn(operatorWords, word)) return t(`alerts.why.${operatorWords[word as keyof typeof operatorWords]}`)
  return operatorSigns[word] ?? word
}

/** Why the alert came, in one sentence made of the conditions that held, with what matched marked. */
export function WhySentence({
  alert,
  reasons,
  problem,
}: {
  readonly alert: AlertDetailBody
  readonly reasons: readonly Comparison[]
  /** Why it cannot be explained; undefined where it can, and until that is known. */
  readonly problem: string | undefined
}): ReactNode {
  if (alert.correlation !== null) {
    return (
      <p className={styles['sentence']}>
        {t('alerts.why.correlation')} <mark className={styles['value']}>{toVisibleText(alert.correlation.condition)}</mark>
      </p>
    )
  }
  if (problem !== undefined) return <p className={styles['sentence']}>{toVisibleText(t('alerts.why.unknown', { problem }))}</p>
  if (reasons.length === 0) return <p className={styles['sentence']}>{'\u00a0'}</p>
  const named = reasons.slice(0, namedMax)
  return (
    <p className={styles['sentence']}>
      {named.map((reason, index) => (
        <Fragment key={index}>
          {index > 0 && (index === named.length - 1 && reasons.length <= namedMax ? ` ${t('alerts.why.and')} ` : ', ')}
          <Reason reason={reason} />
        </Fragment>
      ))}
      {reasons.length > namedMax ? t('alerts.why.more', { count: reasons.length - namedMax }) : '.'}
    </p>
  )
}

function Reason({ reason: { field, op, pattern } }: { readonly reason: Comparison }): ReactNode {
  const [words, value] = describeComparison(op, pattern)
  return (
    <>
      <span className={styles['field']}>{toVisibleText(field ?? '')}</span> {words}{' '}
      <mark className={styles['value']}>{toVisibleText(value)}</mark>
    </>
  )
}
