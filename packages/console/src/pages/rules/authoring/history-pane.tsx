import { diffLines, diffWordsWithSpace } from 'diff'
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
      {rows.map(({ sign, parts }, index) => (
        <div key={index} className={styles['row']} data-sign={sign}>
          <span className={styles['sign']}>{sign}</span>
          {parts.map((part, at) => part.isChanged
            ? <mark key={at} className={styles['word']}>{toVisibleText(part.text)}</mark>
            : toVisibleText(part.text))}
        </div>
      ))}
    </pre>
  )
}

type Part = { readonly text: string; readonly isChanged: boolean }
type Row = { readonly sign: '+' | '-' | ' '; readonly parts: readonly Part[] }

const toPlain = (sign: Row['sign'], text: string): Row => ({ sign, parts: [{ text, isChanged: false }] })

/** The lines of both texts; of long unchanged parts the ends alone. Lines that took the place of others have their words marked. */
function toRows(before: string, after: string): readonly Row[] {
  const changes = diffLines(before, after)
  return changes.flatMap(({ added, removed, value }, index): readonly Row[] => {
    const lines = splitLines(value)
    const other = changes[added ? index - 1 : index + 1]
    const isReplaced = (added && other?.removed === true) || (removed && other?.added === true)
    if (isReplaced && other !== undefined && splitLines(other.value).length === lines.length) {
      const counterparts = splitLines(other.value)
      return lines.map((line, at) => (added ? toMarked('+', counterparts[at] ?? '', line) : toMarked('-', line, counterparts[at] ?? '')))
    }
    if (added || removed) return lines.map((line) => toPlain(added ? '+' : '-', line))
    const rows = lines.map((line) => toPlain(' ', line))
    if (rows.length <= 2 * contextLines + 1) return rows
    return [...rows.slice(0, contextLines), toPlain(' ', '…'), ...rows.slice(-contextLines)]
  })
}

/** One side of a changed line, with the words marked that the other side does not have. */
function toMarked(sign: '+' | '-', before: string, after: string): Row {
  const parts = diffWordsWithSpace(before, after).filter(({ added, removed }) => (sign === '+' ? !removed : !added))
  return { sign, parts: parts.map(({ value, added, removed }) => ({ text: value, isChanged: added || removed })) }
}

function splitLines(value: string): string[] {
  return value.replace(/\n$/, '').split('\n')
}
