import { useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../../../i18n/translate.ts'
import { toVisibleText } from '../../../../lib/visible-text.ts'
import { StateMessage } from '../../../../ui/state-message.tsx'
import { diffTexts } from './diff-texts.ts'
import type { DiffLine, DiffRow } from './diff-texts.ts'
import styles from './diff.module.css'

/** Lines that unchanged parts show before and after a change. */
const contextLines = 3
/** The width of the window above which both texts stand side by side. */
const wideQuery = '(min-width: 1201px)'

type DiffProps = { readonly before: string; readonly after: string; readonly titles: readonly [before: string, after: string] }

/** How two texts differ, line by line with changed words marked: side by side in a wide window, otherwise one below the other. */
export function Diff({ before, after, titles }: DiffProps): ReactNode {
  const isWide = useIsWide()
  const rows = useMemo(() => diffTexts(before, after), [before, after])
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set())
  if (rows.every(({ isSame }) => isSame)) return <StateMessage title={t('rule.noDifference')} />
  const parts = foldRows(rows, unfolded)
  const unfold = (at: number): void => setUnfolded((known) => new Set([...known, at]))
  return (
    <div className={styles['diff']} tabIndex={0} role="region" aria-label={t('rule.diff')}>
      <table className={styles['table']}>
        <colgroup>
          {(isWide ? titles : titles.slice(0, 1)).map((_, index) => [
            <col key={`number-${index}`} className={styles['numbers']} />, <col key={`line-${index}`} />,
          ])}
        </colgroup>
        {isWide && (
          <thead>
            <tr>{titles.map((title, index) => <th key={index} scope="col" colSpan={2}>{title}</th>)}</tr>
          </thead>
        )}
        <tbody>
          {parts.map((part) => 'folded' in part
            ? (
              <tr key={`fold-${part.at}`} className={styles['fold']}>
                <td colSpan={isWide ? 4 : 2}>
                  <button type="button" onClick={() => unfold(part.at)}>{t('rule.diff.equal', { count: part.folded })}</button>
                </td>
              </tr>
            )
            : isWide
              ? part.rows.map((row, index) => <WideRow key={`${part.at}-${index}`} row={row} />)
              : listNarrow(part.rows).map(([sign, line], index) => <NarrowRow key={`${part.at}-${index}`} sign={sign} line={line} />))}
        </tbody>
      </table>
    </div>
  )
}

type DiffPart = { readonly at: number } & ({ readonly rows: readonly DiffRow[] } | { readonly folded: number })

/** Folds the middle of long unchanged parts, but for those that were unfolded; a part is named by its first row. */
function foldRows(rows: readonly DiffRow[], unfolded: ReadonlySet<number>): readonly DiffPart[] {
  const parts: DiffPart[] = []
  for (let at = 0; at < rows.length;) {
    const { isSame } = rows[at]!
    const length = rows.slice(at).findIndex((row) => row.isSame !== isSame)
    const end = length === -1 ? rows.length : at + length
    const [head, tail] = [at === 0 ? at : at + contextLines, end === rows.length ? end : end - contextLines]
    if (isSame && tail - head > 1 && !unfolded.has(at)) {
      if (head > at) parts.push({ at, rows: rows.slice(at, head) })
      parts.push({ at: at, folded: tail - head })
      if (end > tail) parts.push({ at: tail, rows: rows.slice(tail, end) })
    } else parts.push({ at, rows: rows.slice(at, end) })
    at = end
  }
  return parts
}

type Sign = '+' | '-' | ' '

/** The lines one below the other: of each run of changes first those that are gone. */
function listNarrow(rows: readonly DiffRow[]): readonly (readonly [Sign, DiffLine])[] {
  const list = (sign: Sign, side: 'before' | 'after') =>
    rows.flatMap((row) => (row[side] === undefined ? [] : [[sign, row[side]] as const]))
  return rows.every(({ isSame }) => isSame) ? list(' ', 'after') : [...list('-', 'before'), ...list('+', 'after')]
}

function WideRow({ row: { before, after, isSame } }: { readonly row: DiffRow }): ReactNode {
  return (
    <tr>
      <Cells line={before} sign={isSame ? ' ' : '-'} />
      <Cells line={after} sign={isSame ? ' ' : '+'} />
    </tr>
  )
}

function NarrowRow({ sign, line }: { readonly sign: Sign; readonly line: DiffLine }): ReactNode {
  return (
    <tr>
      <Cells line={line} sign={sign} />
    </tr>
  )
}

function Cells({ line, sign }: { readonly line: DiffLine | undefined; readonly sign: Sign }): ReactNode {
  if (line === undefined) return <><td className={styles['number']} /><td className={styles['line']} data-sign="none" /></>
  return (
    <>
      <td className={styles['number']}>{line.number}</td>
      <td className={styles['line']} data-sign={sign}>
        <span className={styles['sign']}>{sign}</span>
        {line.parts.map(({ text, isChanged }, index) => isChanged
          ? <mark key={index} className={styles['word']}>{toVisibleText(text)}</mark>
          : toVisibleText(text))}
      </td>
    </>
  )
}

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia(wideQuery).matches)
  useEffect(() => {
    const query = matchMedia(wideQuery)
    const note = (): void => setIsWide(query.matches)
    query.addEventListener('change', note)
    return () => query.removeEventListener('change', note)
  }, [])
  return isWide
}
