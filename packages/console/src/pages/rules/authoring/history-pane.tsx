import { diffLines } from 'diff'
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { getErrorText } from '../../../api/api-error.ts'
import { t } from '../../../i18n/translate.ts'
import { printTime } from '../../../lib/format-time.ts'
import { toVisibleText } from '../../../lib/visible-text.ts'
import { Pill } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ErrorMessage, StateMessage } from '../../../ui/state-message.tsx'
import { showToast } from '../../../ui/toast-store.ts'
import { restoreVersion, useVersion, useVersions } from './authoring-queries.ts'
import styles from './history-pane.module.css'

type HistoryPaneProps = {
  readonly id: string
  readonly etag: string
  /** The text in the editor, which versions are compared with. */
  readonly text: string
  readonly version: string | undefined
  readonly onVersion: (version: string) => void
  readonly mayEdit: boolean
  readonly onRestored: () => void
}

/** The versions of a rule, how one differs from the text in the editor, and the way back to it. */
export function HistoryPane({ id, etag, text, version, onVersion, mayEdit, onRestored }: HistoryPaneProps): ReactNode {
  const list = useVersions(id)
  const chosen = useVersion(id, version)
  const [isBusy, setIsBusy] = useState(false)
  const restore = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await restoreVersion(id, Number(version), etag)
      showToast({ kind: 'notice', text: t('rule.restored', { version: version ?? '' }) })
      onRestored()
    } catch (error) {
      showToast({ kind: 'error', text: t('rule.restoreFailed', { problem: getErrorText(error) }) })
    }
    setIsBusy(false)
  }
  return (
    <div className={styles['pane']}>
      {list.isError && <ErrorMessage error={list.error} onRetry={() => void list.refetch()} />}
      <ol className={styles['versions']}>
        {list.data?.map(({ version: number, saved_at: at, saved_by: by, text_changed: isChanged }) => (
          <li key={number}>
            <button
              type="button"
              className={styles['version']}
              aria-current={String(number) === version ? 'true' : undefined}
              onClick={() => onVersion(String(number))}
            >
              <span className={styles['number']}>{t('rule.version', { version: String(number) })}</span>
              <span className={styles['by']}>{toVisibleText(by ?? t('rule.byServer'))}</span>
              <time dateTime={at}>{printTime(at)}</time>
              {!isChanged && <Pill tone="neutral">{t('rule.sameText')}</Pill>}
            </button>
          </li>
        ))}
      </ol>
      {chosen.isError && <ErrorMessage error={chosen.error} onRetry={() => void chosen.refetch()} />}
      {version === undefined && list.data !== undefined && <StateMessage title={t('rule.chooseVersion')} />}
      {chosen.data !== undefined && (
        <section aria-label={t('rule.diff')}>
          <div className={styles['line']}>
            <h3 className={styles['title']}>{t('rule.diffTitle', { version: version ?? '' })}</h3>
            {mayEdit && <Button isBusy={isBusy} onClick={() => void restore()}>{t('rule.restore')}</Button>}
          </div>
          <Diff before={chosen.data.definition} after={text} />
        </section>
      )}
    </div>
  )
}

/** Lines that unchanged parts show before and after a change. */
const contextLines = 3

function Diff({ before, after }: { readonly before: string; readonly after: string }): ReactNode {
  const rows = useMemo(() => toRows(before, after), [before, after])
  if (rows.every(({ sign }) => sign === ' ')) return <StateMessage title={t('rule.noDifference')} />
  return (
    <pre className={styles['diff']} tabIndex={0}>
      {rows.map(({ sign, text }, index) => (
        <div key={index} className={styles['row']} data-sign={sign}>
          <span className={styles['sign']}>{sign}</span>
          {toVisibleText(text)}
        </div>
      ))}
    </pre>
  )
}

type Row = { readonly sign: '+' | '-' | ' '; readonly text: string }

/** The lines of both texts; of long unchanged parts the ends alone. */
function toRows(before: string, after: string): readonly Row[] {
  return diffLines(before, after).flatMap(({ added, removed, value }): readonly Row[] => {
    const lines = value.replace(/\n$/, '').split('\n')
    if (added || removed) return lines.map((text) => ({ sign: added ? '+' : '-', text }))
    const rows = lines.map((text): Row => ({ sign: ' ', text }))
    if (rows.length <= 2 * contextLines + 1) return rows
    return [...rows.slice(0, contextLines), { sign: ' ', text: '…' }, ...rows.slice(-contextLines)]
  })
}
