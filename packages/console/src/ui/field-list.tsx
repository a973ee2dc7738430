import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { printValue, toVisibleText } from '../lib/visible-text.ts'
import { IconButton } from './button.tsx'
import { copyText } from './copy-text.ts'
import styles from './field-list.module.css'
import { Copy } from './icons.tsx'
import { LongValue } from './long-value.tsx'

type FieldListProps = {
  readonly event: { readonly [field: string]: unknown }
  /** What matched, by field. */
  readonly marked: ReadonlyMap<string, string>
  /** What may be done with a field, before copying its value. */
  readonly actions?: (name: string, value: unknown) => ReactNode
}
type NestedProps = Omit<FieldListProps, 'actions'> & { readonly prefix: string; readonly actions: FieldListProps['actions'] }
type FieldValue = readonly [name: string, value: unknown]

/** Fields of a nested object that are shown at once; one of more is folded. */
const unfoldedMax = 8

/** The fields of an event: those that matched first, with what matched marked, then the others; nested objects fold. */
export function FieldList({ event, marked, actions }: FieldListProps): ReactNode {
  const matched = flatten(event).filter(([name]) => marked.has(name))
  return (
    <div className={styles['list']}>
      <Rows fields={matched} marked={marked} actions={actions} />
      <Fields event={event} prefix="" marked={marked} actions={actions} />
    </div>
  )
}

/** The fields of an object that did not match, by the names that rules and queries address them with. */
function Fields({ event, prefix, marked, actions }: NestedProps): ReactNode {
  const runs: (FieldValue[] | { readonly name: string; readonly value: { readonly [field: string]: unknown } })[] = []
  for (const [key, value] of Object.entries(event)) {
    const name = prefix + key
    const last = runs.at(-1)
    if (isPlainObject(value) && Object.keys(value).length > 0) runs.push({ name, value })
    else if (marked.has(name)) continue
    else if (Array.isArray(last)) last.push([name, value])
    else runs.push([[name, value]])
  }
  return runs.map((run) => {
    if (Array.isArray(run)) return <Rows key={run[0]?.[0]} fields={run} marked={marked} actions={actions} />
    const { name, value } = run
    const count = flatten(value, `${name}.`).filter(([field]) => !marked.has(field)).length
    if (count === 0) return null
    return (
      <details key={name} className={styles['nested']} open={count <= unfoldedMax}>
        <summary className={styles['fold']}>
          {toVisibleText(name)} <span className={styles['count']}>{t('fields.nested', { count })}</span>
        </summary>
        <Fields event={value} prefix={`${name}.`} marked={marked} actions={actions} />
      </details>
    )
  })
}

function Rows({ fields, marked, actions }: {
  readonly fields: readonly FieldValue[]
  readonly marked: ReadonlyMap<string, string>
  readonly actions: FieldListProps['actions']
}): ReactNode {
  if (fields.length === 0) return null
  return (
    <dl className={styles['rows']}>
      {fields.map(([name, value]) => (
        <div key={name} className={styles['row']}>
          <dt className={styles['name']} title={name}>
            {toVisibleText(name)}
          </dt>
          <dd className={styles['value']}>
            <LongValue value={value} marked={marked.get(name)} />
            <span className={styles['actions']}>
              {actions?.(name, value)}
              <IconButton icon={Copy} label={t('fields.copy', { name })} onClick={() => void copyText(printValue(value))} />
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Nested objects as dotted names, as rules and queries address them. */
function flatten(event: FieldListProps['event'], prefix = ''): readonly FieldValue[] {
  return Object.entries(event).flatMap(([name, value]) =>
    isPlainObject(value) && Object.keys(value).length > 0 ? flatten(value, `${prefix}${name}.`) : [[prefix + name, value] as const],
  )
}

function isPlainObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
