import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { printEventLine } from '../../lib/event-line.ts'
import { printClock, printTime } from '../../lib/format-time.ts'
import { createStore } from '../../lib/store.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Select } from '../../ui/field.tsx'
import { PanelSection } from '../../ui/side-panel.tsx'
import { ErrorMessage } from '../../ui/state-message.tsx'
import styles from './surroundings.module.css'
import { useEventsAround } from './search-queries.ts'
import type { Around } from './search-queries.ts'

/** What the events share; `place` is the host, or else the cloud account. */
const kinds = ['place', 'user', 'process', 'any'] as const
/** Minutes before and after. */
const spans = ['5', '15', '60', '240', '1440'] as const

/** What was chosen last, which holds for the next event too. */
const chosen = createStore<Around>({ same: 'place', minutes: '15' })

/** What happened before and after an event: on its host at first, and with what a person chooses. */
export function Surroundings({ id, onOpen }: { readonly id: string; readonly onOpen: (id: string) => void }): ReactNode {
  const around = useStore(chosen)
  const { data, error, isError, refetch } = useEventsAround(id, around)
  return (
    <PanelSection title={t('search.section.around')}>
      <div className={styles['choices']}>
        <Select
          label={t('search.around.same')}
          value={around.same}
          options={kinds.map((value) => ({ value, label: t(`search.around.same.${value}`) }))}
          onChange={(same) => chosen.set({ ...around, same })}
        />
        <Select
          label={t('search.around.within')}
          value={around.minutes}
          options={spans.map((value) => ({ value, label: t('search.around.minutes', { count: Number(value) }) }))}
          onChange={(minutes) => chosen.set({ ...around, minutes })}
        />
      </div>
      {isError && <ErrorMessage error={error} onRetry={() => void refetch()} />}
      {data?.data.length === 1 && <p className={styles['note']}>{t('search.around.none')}</p>}
      {data !== undefined && data.data.length > 1 && (
        <>
          <ol className={styles['events']}>
            {data.data.map((event) => (
              <li key={event.id}>
                <button
                  type="button"
                  className={styles['event']}
                  aria-current={event.id === id || undefined}
                  onClick={() => onOpen(event.id)}
                >
                  <time dateTime={event.timestamp} title={printTime(event.timestamp)}>
                    {printClock(event.timestamp)}
                  </time>
                  <span className={styles['text']}>{toVisibleText(printEventLine(event).slice(0, 300))}</span>
                </button>
              </li>
            ))}
          </ol>
          <Link to="/search" search={{ q: data.query, from: data.from, to: data.to, sort: 'timestamp:asc', event: id }}>
            {t('search.around.all')}
          </Link>
        </>
      )}
    </PanelSection>
  )
}
