import type { ReactNode } from 'react'
import { t } from '../i18n/translate.ts'
import { chooseColumns, chooseWidth } from '../lib/lists/choose-columns.ts'
import { columnChoices, orderColumns } from '../lib/lists/column-choices.ts'
import { useStore } from '../lib/use-store.ts'
import { Button, IconButton } from './button.tsx'
import styles from './column-form.module.css'
import { ChevronDown, ChevronUp, Minus, Plus } from './icons.tsx'

type ColumnFormProps = {
  readonly table: string
  readonly columns: readonly { readonly id: string; readonly title: string; readonly width: string }[]
  /** The width that a column has on screen, in pixels. */
  readonly getWidth: (id: string) => number
}

const widthStep = 24

/** Which columns a table shows, in which order and width. */
export function ColumnForm({ table, columns, getWidth }: ColumnFormProps): ReactNode {
  const choice = useStore(columnChoices, (all) => all[table]) ?? {}
  const { hidden = [] } = choice
  const ordered = orderColumns(columns, choice)
  const ids = ordered.map(({ id }) => id)
  const toggle = (id: string): void => {
    chooseColumns(table, { hidden: hidden.includes(id) ? hidden.filter((one) => one !== id) : [...hidden, id] })
  }
  const move = (from: number, to: number): void => {
    const order = ids.toSpliced(from, 1)
    chooseColumns(table, { order: order.toSpliced(to, 0, ids[from] ?? '') })
  }
  return (
    <div className={styles['form']}>
      <ul className={styles['columns']}>
        {ordered.map(({ id, title }, at) => {
          const isHidden = hidden.includes(id)
          return (
            <li key={id} className={styles['column']}>
              <label className={styles['label']}>
                <input
                  type="checkbox"
                  checked={!isHidden}
                  // A table without a column shows nothing.
                  disabled={!isHidden && hidden.length === columns.length - 1}
                  onChange={() => toggle(id)}
                />
                {title}
              </label>
              <IconButton icon={ChevronUp} label={t('columns.up', { title })} disabled={at === 0} onClick={() => move(at, at - 1)} />
              <IconButton
                icon={ChevronDown} label={t('columns.down', { title })} disabled={at === ids.length - 1}
                onClick={() => move(at, at + 1)}
              />
              <IconButton
                icon={Minus} label={t('columns.narrower', { title })} disabled={isHidden}
                onClick={() => chooseWidth(table, id, getWidth(id) - widthStep)}
              />
              <IconButton
                icon={Plus} label={t('columns.wider', { title })} disabled={isHidden}
                onClick={() => chooseWidth(table, id, getWidth(id) + widthStep)}
              />
            </li>
          )
        })}
      </ul>
      <Button onClick={() => chooseColumns(table, undefined)}>{t('columns.reset')}</Button>
    </div>
  )
}
