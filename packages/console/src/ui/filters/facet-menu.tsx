import type { ReactNode } from 'react'
import { printNumber } from '../../i18n/translate.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Button } from '../button.tsx'
import { Plus } from '../icons.tsx'
import { Popover } from '../popover.tsx'
import { ErrorMessage } from '../state-message.tsx'
import styles from './facet-menu.module.css'
import type { FilterValue } from './value-form.tsx'

/** A filter with the most frequent values of what is listed. */
export type Facet<Name extends string> = {
  readonly name: Name
  readonly title: string
  readonly distinct: number
  readonly values: readonly FilterValue[]
}

type FacetMenuProps<Name extends string> = {
  readonly label: string
  /** Reads the facets once the menu is open. */
  readonly useFacets: () => {
    readonly data: readonly Facet<Name>[] | undefined
    readonly error: Error | null
    readonly refetch: () => unknown
  }
  readonly onChoose: (name: Name, value: string) => void
}

/** Adds a filter: the most frequent values of what is listed, with their counts. */
export function FacetMenu<Name extends string>({ label, useFacets, onChoose }: FacetMenuProps<Name>): ReactNode {
  return (
    <Popover
      label={label}
      button={(target) => (
        <Button kind="ghost" icon={Plus} {...target}>
          {label}
        </Button>
      )}
    >
      {(close) => (
        <Facets
          useFacets={useFacets}
          onChoose={(name, value) => {
            close()
            onChoose(name, value)
          }}
        />
      )}
    </Popover>
  )
}

function Facets<Name extends string>({ useFacets, onChoose }: Pick<FacetMenuProps<Name>, 'useFacets' | 'onChoose'>): ReactNode {
  const { data, error, refetch } = useFacets()
  if (error !== null) return <ErrorMessage error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles['facets']} aria-busy={data === undefined}>
      {data?.filter(({ values }) => values.length > 0).map(({ name, title, values, distinct }) => (
        <section key={name} className={styles['facet']}>
          <h3 className={styles['title']}>
            {title} <span>{printNumber(distinct)}</span>
          </h3>
          {values.map(({ value, label, count }) => (
            <button key={value} type="button" className={styles['value']} onClick={() => onChoose(name, value)}>
              <span className={styles['text']} title={toVisibleText(label)}>{toVisibleText(label)}</span>
              {count !== undefined && <span className={styles['count']}>{printNumber(count)}</span>}
            </button>
          ))}
        </section>
      ))}
    </div>
  )
}
