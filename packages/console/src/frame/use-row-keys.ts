import { useCallback, useRef, useState } from 'react'
import type { RefObject } from 'react'
import { t } from '../i18n/translate.ts'
import { useKeys } from '../lib/keys.ts'
import type { ListHandle } from '../ui/list-window.tsx'

/** Rows that Page Down and Page Up move by. */
const pageRows = 20

type RowKeys = {
  readonly handle: RefObject<ListHandle | null>
  /** The row that keys act on, and its place; -1 without one. */
  readonly current: string | undefined
  readonly index: number
  readonly open: (row: { readonly id: string }) => void
  /** Moves to the row at a place, or to the nearest. */
  readonly move: (to: number) => void
}

/**
 * Keys of a list with a panel: j and k move, Enter opens, o opens as a page, Escape closes; an open panel or page follows. The
 * address holds which is open.
 */
export function useRowKeys<Row extends { readonly id: string }>(list: {
  readonly rows: readonly Row[]
  /** Whether something else stands in the place of the list, which has keys of its own. */
  readonly isCovered?: boolean
  /** Whether the open row is a page of its own, which the arrow keys scroll. */
  readonly isPage?: boolean
  readonly openId: string | undefined
  readonly onOpen: (id: string, isReplacing: boolean) => void
  /** Opens a row as a page of its own. */
  readonly onOpenPage?: (id: string) => void
  readonly onClose: () => void
  /** What Escape does, where it does more than close the panel. */
  readonly closeLabel?: string
}): RowKeys {
  const { rows: all, isCovered = false, isPage = false, openId, onOpen, onOpenPage, onClose, closeLabel } = list
  const [cursor, setCursor] = useState<string>()
  const handle = useRef<ListHandle>(null)
  const current = openId ?? cursor
  const rows = isCovered ? [] : all
  const index = rows.findIndex(({ id }) => id === current)
  const open = useCallback(
    ({ id }: { readonly id: string }) => {
      setCursor(id)
      onOpen(id, openId !== undefined)
    },
    [onOpen, openId],
  )
  const move = (to: number): void => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
    if (row === undefined) return
    setCursor(row.id)
    handle.current?.reveal(rows.indexOf(row))
    if (openId !== undefined) onOpen(row.id, true)
  }
  const moveKeys = [
    { keys: 'j', label: t('list.keys.next'), run: () => move(index + 1) },
    { keys: 'k', label: t('list.keys.previous'), run: () => move(index - 1) },
  ]
  const openPage = (): void => {
    if (current === undefined) return
    setCursor(current)
    onOpenPage?.(current)
  }
  const rowKeys = [
    ...moveKeys,
    { keys: 'ArrowDown', run: () => move(index + 1) },
    { keys: 'ArrowUp', run: () => move(index - 1) },
    { keys: 'Home', run: () => move(0) },
    { keys: 'End', run: () => move(rows.length - 1) },
    { keys: 'PageDown', run: () => move(index + pageRows) },
    { keys: 'PageUp', run: () => move(index - pageRows) },
    {
      keys: 'Enter',
      label: t('list.keys.open'),
      run: () => {
        if (rows[index] !== undefined) open(rows[index])
      },
    },
    ...(onOpenPage === undefined ? [] : [{ keys: 'o', label: t('entry.openPage'), run: openPage }]),
  ]
  useKeys([...(isCovered ? [] : isPage ? moveKeys : rowKeys), { keys: 'Escape', label: closeLabel ?? t('list.keys.close'), run: onClose }])
  return { handle, current, index, open, move }
}
