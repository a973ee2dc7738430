import type { SearchFacetsBody } from '@tripline/contract/console/search'
import type { ReactNode } from 'react'
import { printNumber, t } from '../../i18n/translate.ts'
import { printValue, toVisibleText } from '../../lib/visible-text.ts'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './facets.module.css'
import { NarrowButtons } from './narrow-buttons.tsx'
import type { ValueOfEvent } from './narrow-buttons.tsx'
import type { useEventFacets } from './search-queries.ts'

/** Characters of a value in the title of its row. */
const titleMax = 1_000

type FacetsProps = {
  readonly query: ReturnType<typeof useEventFacets>
  readonly onNarrow: (value: ValueOfEvent, isExcluded: boolean) => void
}

/** The values that the found events divide into, beside the list; each narrows the query. */
export function Facets({ query: { data, error, isError, refetch }, onNarrow }: FacetsProps): ReactNode {
  return (
    <aside className={styles['facets']} aria-label={t('search.facets')}>
      {isError && <ErrorMessage error={error} what={t('search.facets')} onRetry={() => void refetch()} />}
      {data !== undefined && data.facets.length === 0 && (
        <p className={styles['note']}>{t(data.events_counted === 0 ? 'search.facets.empty' : 'search.facets.none')}</p>
      )}
      {data?.facets.map((facet) => <Facet key={facet.field} facet={facet} counted={data.events_counted} onNarrow={onNarrow} />)}
      {data?.sampled === true && (
        <p className={styles['note']}>
          {t('search.facets.sampled', { shown: printNumber(data.events_counted), count: data.events_counted })}
        </p>
      )}
    </aside>
  )
}

/** A share in whole percent; what is there is never none. */
function printShare(share: number): string {
  return share > 0 && share < 0.005 ? `<${printNumber(1)}` : printNumber(100 * share, 0)
}

type FacetProps = Pick<FacetsProps, 'onNarrow'> & {
  readonly facet: SearchFacetsBody['facets'][number]
  /** The events that shares are of. */
  readonly counted: number
}

function Facet({ facet: { field, distinct, values }, counted, onNarrow }: FacetProps): ReactNode {
  return (
    <details className={styles['facet']} open>
      <summary>
        <span className={styles['field']} title={field}>{toVisibleText(field)}</span>
        <span className={styles['count']}>{printNumber(distinct)}</span>
      </summary>
      <ul>
        {values.map(({ value, count }) => (
          <li key={`${typeof value}:${value}`} className={styles['value']}>
            <button
              type="button"
              className={styles['choose']}
              title={t('search.facets.choose', { value: printValue(value).slice(0, titleMax) })}
              onClick={({ altKey }) => onNarrow({ field, value }, altKey)}
            >
              <span className={styles['text']}>{printValue(value)}</span>
              <span className={styles['count']}>{printNumber(count)}</span>
              <span className={styles['share']}>{t('search.facets.share', { share: printShare(count / counted) })}</span>
            </button>
            <span className={styles['buttons']}>
              <NarrowButtons field={field} value={value} onNarrow={onNarrow} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
