import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { printValue, toVisibleText } from '../lib/visible-text.ts'
import { IconButton } from './button.tsx'
import styles from './field-list.module.css'
import { Copy } from './icons.tsx'
import { LongValue } from './long-value.tsx'
import { showToast } from './toast-store.ts'

/** The fields of an event: those that matched first, with what matched marked. */
export function FieldList({
  event,
  marked,
  actions,
}: {
  readonly event: { readonly [field: string]: unknown }
  /** What matched, by field. */
  readonly marked: ReadonlyMap<string, string>
  /** What may be done with a field, before copying its value. */
  readonly actions?: (name: string, value: unknown) => ReactNode
}): ReactNode {
  const fields = flatten(event)
  const ordered = [...fields.filter(([name]) => marked.has(name)), ...fields.filter(([name]) => !marked.has(name))]
  return (
    <dl className={styles['list']}>
      {ordered.map(([name, value]) => (
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

/** Copies a text, and says so. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ kind: 'notice', text: t('copied') })
  } catch {
    // Browsers give the clipboard to pages of https and of this machine alone.
    showToast({ kind: 'error', text: t('copy.failed', { text: text.slice(0, 200) }) })
  }
}

/** Nested objects as dotted names, as rules and queries address them. */
function flatten(event: { readonly [field: string]: unknown }, prefix = ''): readonly (readonly [name: string, value: unknown])[] {
  return Object.entries(event).flatMap(([name, value]) =>
    isPlainObject(value) && Object.keys(value).length > 0 ? flatten(value, `${prefix}${name}.`) : [[prefix + name, value] as const],
  )
}

function isPlainObject(value: unknown): value is { readonly [field: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
