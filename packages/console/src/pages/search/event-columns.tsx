import type { SearchEventBody } from '@tripline/contract/console/search'
import { t } from '../../i18n/translate.ts'
import { printTime } from '../../lib/format-time.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import type { Column } from '../../ui/table.tsx'
import styles from './event-columns.module.css'
import { findEntity, printEventLine } from './event-fields.ts'

/** Characters of a message in a row: a message may have 64 KiB. */
const messageShownMax = 400

/** The columns of the list, in order. */
export function listEventColumns(): readonly Column<SearchEventBody, 'timestamp'>[] {
  return [
    {
      id: 'time', title: t('search.column.time'), width: '188px', sort: 'timestamp',
      render: ({ timestamp }) => (
        // The row opens by a click anywhere; the button is what Tab reaches.
        <button type="button" className={styles['time']}>
          <time dateTime={timestamp}>{printTime(timestamp)}</time>
        </button>
      ),
    },
    {
      id: 'host', title: t('search.column.host'), width: 'minmax(0, 180px)',
      render: ({ fields, source_ip: ip }) => <span className={styles['text']}>{toVisibleText(findEntity(fields, 'host') ?? ip)}</span>,
    },
    {
      id: 'source', title: t('search.column.source'), width: '110px', minTableWidth: 720,
      render: ({ source_type: source }) => <span className={styles['text']}>{toVisibleText(source)}</span>,
    },
    {
      id: 'message', title: t('search.column.message'), width: 'minmax(0, 1fr)',
      render: (event) => <span className={styles['message']}>{toVisibleText(printEventLine(event).slice(0, messageShownMax))}</span>,
    },
  ]
}
