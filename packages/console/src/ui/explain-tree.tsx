import type { ExplanationBody } from '@tripline/contract/console/rule'
import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { isJoin, listParts } from '../lib/explanation-parts.ts'
import { printValue, toVisibleText } from '../lib/visible-text.ts'
import styles from './explain-tree.module.css'
import { Check, X } from './icons.tsx'

type Comparison = Extract<ExplanationBody, { readonly op: string }>

/** Why a rule matches an event: each condition with its outcome; what failed and did not matter is folded. */
export function ExplainTree({ node }: { readonly node: ExplanationBody }): ReactNode {
  return (
    <ul className={styles['tree']}>
      <Node node={node} isNegated={false} />
    </ul>
  )
}

/** The comparisons that made a rule match, in their order: not those below a `not`. */
export function listReasons(node: ExplanationBody): readonly Comparison[] {
  if ('op' in node) return node.result && node.field !== null ? [node] : []
  return node.node === 'not' || !node.result ? [] : node.children.flatMap(listReasons)
}

function Node({ node, isNegated }: { readonly node: ExplanationBody; readonly isNegated: boolean }): ReactNode {
  // What a `not` excludes is right where it does not hold.
  const isRight = node.result !== isNegated
  const Icon = node.result ? Check : X
  if ('op' in node) {
    return (
      <li className={styles['node']} data-right={isRight || undefined}>
        <Icon size={14} aria-label={node.result ? t('explain.held') : t('explain.failed')} />
        <span className={styles['comparison']}>
          {node.field !== null && <span className={styles['field']}>{toVisibleText(node.field)} </span>}
          <span className={styles['operator']}>{node.op === 'eq' ? '=' : node.op} </span>
          <span>{toVisibleText(node.pattern)}</span>
          {!node.result && <span className={styles['actual']}> {describeActual(node)}</span>}
        </span>
      </li>
    )
  }
  const parts = listParts(node)
  const [single] = parts
  // A condition of one selection needs no line of its own.
  if (isJoin(node) && parts.length === 1 && single !== undefined) return <Node node={single} isNegated={isNegated} />
  const isFolding = node.node === 'or' && node.result
  const shown = isFolding ? parts.filter(({ result }) => result) : parts
  const folded = isFolding ? parts.filter(({ result }) => !result) : []
  const children = (nodes: readonly ExplanationBody[]): ReactNode =>
    nodes.map((child, index) => <Node key={index} node={child} isNegated={isNegated !== (node.node === 'not')} />)
  return (
    <li className={styles['branch']}>
      <div className={styles['node']} data-right={isRight || undefined}>
        <Icon size={14} aria-label={node.result ? t('explain.held') : t('explain.failed')} />
        <span className={styles['name']}>{node.node}</span>
      </div>
      <ul className={styles['children']}>
        {children(shown)}
        {folded.length > 0 && (
          <li>
            <details>
              <summary className={styles['more']}>{t('explain.others', { count: folded.length })}</summary>
              <ul>{children(folded)}</ul>
            </details>
          </li>
        )}
      </ul>
    </li>
  )
}

function describeActual({ actual }: Comparison): string {
  return actual === null || actual === undefined ? t('explain.absent') : t('explain.actual', { value: printValue(actual).slice(0, 200) })
}
