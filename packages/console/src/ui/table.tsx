import { memo, useCallback, useMemo, useRef } from 'react'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { addTexts, t } from '../i18n/translate.ts'
import { arrangeColumns, columnChoices } from '../lib/lists/column-choices.ts'
import type { Sort } from '../lib/url-state.ts'
import { useSize } from '../lib/use-size.ts'
import { useStore } from '../lib/use-store.ts'
import { classNames } from './class-names.ts'
import { ArrowDown, ArrowUp } from './icons.tsx'
import { ListWindow } from './list-window.tsx'
import type { ListHandle } from './list-window.tsx'
import { lazyPart } from './loading/lazy-part.tsx'
import styles from './table.module.css'

/** A column as data. */
export type Column<Row, Field extends string> = {
  readonly id: string
  readonly title: string
  /** A track of the grid, such as `minmax(0, 2fr)`. */
  readonly width: string
  readonly render: (row: Row) => ReactNode
  readonly isNumber?: boolean
  /** The field that a click on the head sorts by. */
  readonly sort?: Field
  /** The width of the table from which on it is shown; default: always. */
  readonly minTableWidth?: number
}

export type TableProps<Row, Field extends string> = {
  readonly label: string
  /** By which the columns that a person chose are kept; without one they cannot be chosen. */
  readonly name?: string
  readonly columns: readonly Column<Row, Field>[]
  readonly rows: readonly Row[]
  readonly getId: (row: Row) => string
  /** All rows that match, loaded or not. */
  readonly total: number
  readonly rowHeight: number
  readonly sort?: Sort<Field> | undefined
  readonly onSort?: (sort: Sort<Field>) => void
  /** The row under the cursor of the keyboard. */
  readonly current?: string | undefined
  readonly onOpen?: (row: Row, index: number) => void
  readonly checked?: ReadonlySet<string>
  readonly onCheck?: (row: Row, index: number, isRange: boolean) => void
  readonly onCheckAll?: () => void
  /** Whether a row no longer fits what is listed, and is shown dimmed. */
  readonly isDimmed?: (row: Row) => boolean
  readonly onShown?: (lastRow: number) => void
  readonly ref?: Ref<ListHandle>
}

// What chooses columns is no part of the first page.
const ColumnTools = lazyPart(async () => {
  const [module, { enTools }] = await Promise.all([import('./column-tools.tsx'), import('../i18n/en/tools.ts')])
  addTexts(enTools)
  return module.ColumnTools
})

/** The width below which a row is a card of two lines, its name above the rest: on telephones, and beside much else. */
const cardsWidth = 480
/** What a card is higher than a row. */
const cardExtra = 22

/** A row renders again when its own state changes, not when another one's does. */
const TableRow = memo(TableRowInner) as typeof TableRowInner

/** A list as a table over a window of rows (WAI-ARIA grid): sorting, filtering and paging are the server's. */
export function Table<Row, Field extends string = string>(props: TableProps<Row, Field>): ReactNode {
  const {
    label,
    name,
    columns,
    rows,
    getId,
    total,
    rowHeight,
    sort,
    onSort,
    current,
    onOpen,
    checked,
    onCheck,
    onCheckAll,
    isDimmed,
    onShown,
    ref,
  } = props
  const [sizeRef, { width }] = useSize<HTMLDivElement>()
  const head = useRef<HTMLDivElement>(null)
  const choice = useStore(columnChoices, (all) => (name === undefined ? undefined : all[name]))
  const shown = useMemo(
    () => arrangeColumns(columns.filter(({ minTableWidth = 0 }) => width === 0 || width >= minTableWidth), choice),
    [columns, width, choice],
  )
  const isCards = width > 0 && width < cardsWidth
  const height = isCards ? rowHeight + cardExtra : rowHeight
  const titleId = useMemo(() => findTitle(columns), [columns])
  const hasChecks = onCheck !== undefined
  const template = `${hasChecks ? '30px ' : ''}${shown.map((column) => column.width).join(' ')}`
  const renderRow = useCallback(
    (index: number) => {
      const row = rows[index]
      if (row === undefined) return null
      const id = getId(row)
      return (
        <TableRow
          row={row}
          index={index}
          columns={shown}
          titleId={isCards ? titleId : undefined}
          template={template}
          height={height}
          isCurrent={id === current}
          isChecked={hasChecks ? checked?.has(id) === true : undefined}
          isDimmed={isDimmed?.(row) === true}
          onOpen={onOpen}
          onCheck={onCheck}
        />
      )
    },
    [rows, shown, isCards, titleId, template, height, current, checked, hasChecks, isDimmed, onOpen, onCheck, getId],
  )
  const grid = (
    <div
      ref={sizeRef}
      className={styles['table']}
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable={hasChecks || undefined}
      data-chosen={name !== undefined || undefined}
      data-cards={isCards || undefined}
    >
      <div ref={head} className={styles['head']} role="row" aria-rowindex={1} style={{ gridTemplateColumns: template }}>
        {hasChecks && (
          <span role="columnheader" className={styles['checkCell']}>
            <input
              type="checkbox"
              className={styles['check']}
              aria-label={t('table.selectAll')}
              checked={rows.length > 0 && checked?.size === rows.length}
              onChange={onCheckAll}
            />
          </span>
        )}
        {shown.map((column) => (
          <Head key={column.id} column={column} isChosen={name !== undefined} sort={sort} onSort={onSort} />
        ))}
      </div>
      <ListWindow ref={ref} rowCount={rows.length} rowHeight={height} renderRow={renderRow} {...(onShown && { onShown })} />
    </div>
  )
  if (name === undefined) return grid
  return (
    <div className={styles['box']}>
      {grid}
      <span className={styles['tools']}>
        <ColumnTools table={name} columns={columns} head={head} />
      </span>
    </div>
  )
}

/** The column with the most room, which says what a row is. */
function findTitle(columns: readonly { readonly id: string; readonly width: string }[]): string | undefined {
  const shares = columns.map(({ id, width }) => ({ id, share: Number(/([\d.]+)fr/.exec(width)?.[1] ?? 0) }))
  return shares.reduce((widest, column) => (column.share > widest.share ? column : widest), { id: '', share: 0 }).id
}

function Head<Row, Field extends string>({
  column,
  isChosen,
  sort,
  onSort,
}: {
  readonly column: Column<Row, Field>
  /** Whether its width can be chosen. */
  readonly isChosen: boolean
  readonly sort: Sort<Field> | undefined
  readonly onSort: ((sort: Sort<Field>) => void) | undefined
}): ReactNode {
  const { sort: field, title, isNumber = false } = column
  const direction = field !== undefined && sort?.field === field ? sort.direction : undefined
  const Arrow = direction === 'asc' ? ArrowUp : ArrowDown
  const ariaSort = direction === undefined ? undefined : direction === 'asc' ? 'ascending' : 'descending'
  return (
    <span
      role="columnheader"
      aria-sort={ariaSort}
      className={classNames(styles['headCell'], isNumber && styles['number'])}
    >
      {field === undefined || onSort === undefined ? (
        <span className={styles['title']} title={title}>{title}</span>
      ) : (
        <button
          type="button"
          className={styles['sort']}
          title={t('table.sort', { column: title })}
          onClick={() => onSort({ field, direction: direction === 'desc' ? 'asc' : 'desc' })}
        >
          {title}
          {direction !== undefined && <Arrow size={12} aria-hidden />}
        </button>
      )}
      {isChosen && <span className={styles['handle']} aria-hidden data-handle={column.id} />}
    </span>
  )
}

type TableRowProps<Row, Field extends string> = {
  readonly row: Row
  readonly index: number
  readonly columns: readonly Column<Row, Field>[]
  /** The column of the first line of a card; undefined for a row. */
  readonly titleId: string | undefined
  readonly template: string
  readonly height: number
  readonly isCurrent: boolean
  readonly isChecked: boolean | undefined
  readonly isDimmed: boolean
  readonly onOpen: ((row: Row, index: number) => void) | undefined
  readonly onCheck: ((row: Row, index: number, isRange: boolean) => void) | undefined
}

function TableRowInner<Row, Field extends string>(props: TableRowProps<Row, Field>): ReactNode {
  const { row, index, columns, titleId, template, height, isCurrent, isChecked, isDimmed, onOpen, onCheck } = props
  const open = (event: MouseEvent): void => {
    if (event.target instanceof HTMLInputElement) return
    if (event.shiftKey && onCheck !== undefined) onCheck(row, index, true)
    else onOpen?.(row, index)
  }
  const printCells = (cells: typeof columns): ReactNode => cells.map(({ id, title, width, render, isNumber = false }) => (
    <span
      key={id}
      role="gridcell"
      className={classNames(styles['cell'], isNumber && styles['number'])}
      data-title={isNumber ? title : undefined}
      data-shrinks={width.startsWith('minmax') || undefined}
    >
      {render(row)}
    </span>
  ))
  return (
    <div
      className={styles['row']}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isCurrent}
      data-dimmed={isDimmed || undefined}
      data-checked={isChecked === true || undefined}
      style={{ gridTemplateColumns: template, height }}
      onClick={open}
    >
      {isChecked !== undefined && (
        <span role="gridcell" className={styles['checkCell']}>
          <input
            type="checkbox"
            className={styles['check']}
            aria-label={t('table.select')}
            checked={isChecked}
            tabIndex={-1}
            onChange={() => undefined}
            onClick={(event) => onCheck?.(row, index, event.shiftKey)}
          />
        </span>
      )}
      {titleId === undefined ? printCells(columns) : (
        <>
          {printCells(columns.filter(({ id }) => id === titleId))}
          <span role="presentation" className={styles['rest']}>{printCells(columns.filter(({ id }) => id !== titleId))}</span>
        </>
      )}
    </div>
  )
}
