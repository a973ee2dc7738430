import type { SearchEventBody } from '@tripline/contract/console/search'
import { t } from '../../i18n/translate.ts'
import { getZoneLabel, printInstant, printTime } from '../../lib/format-time.ts'
import { TextCell } from '../../ui/entries/cell.tsx'
import type { Column } from '../../ui/table.tsx'
import type { MatchedRules } from './add-matches.ts'
import styles from './event-columns.module.css'
import { findEntity } from './event-fields.ts'
import { EventLine } from './event-line.tsx'
import type { QueryText } from './query/query-texts.ts'

/** Characters of a message in a row: a message may have 64 KiB. */
const messageShownMax = 400

/** The columns of the list, in order; `sought` is what the query looks for, which is marked. */
export function listEventColumns(sought: readonly QueryText[] = []): readonly Column<SearchEventBody, 'timestamp'>[] {
  return [
    {
      id: 'time', title: t('search.column.time', { zone: getZoneLabel() }), width: '150px', sort: 'timestamp',
      render: ({ timestamp }) => (
        // The row opens by a click anywhere; the button is what Tab reaches.
        <button type="button" className={styles['time']}>
          <time dateTime={timestamp} title={printTime(timestamp)}>{printInstant(timestamp)}</time>
        </button>
      ),
    },
    {
      id: 'host', title: t('search.column.host'), width: 'minmax(0, 172px)',
      render: ({ fields, source_ip: ip }) => <TextCell text={findEntity(fields, 'host') ?? ip} />,
    },
    {
      id: 'source', title: t('search.column.source'), width: '84px', minTableWidth: 720,
      render: ({ source_type: source }) => <TextCell text={source} />,
    },
    {
      id: 'message', title: t('search.column.message'), width: 'minmax(0, 1fr)',
      render: (event) => (
        <span className={styles['message']}><EventLine event={event} sought={sought} lengthMax={messageShownMax} /></span>
      ),
    },
  ]
}

/** The columns of a live tail, which has one order: those of the list, and the rules that matched, before the message. */
export function listTailColumns(matched: MatchedRules): readonly Column<SearchEventBody, 'timestamp'>[] {
  const columns = listEventColumns().map(({ sort: _sort, ...column }) => column)
  return columns.toSpliced(-1, 0, {
    id: 'rules', title: t('tail.rules'), width: 'minmax(0, 220px)', minTableWidth: 620,
    render: ({ id }) => <TextCell text={(matched.get(id) ?? []).join(', ')} />,
  })
}
