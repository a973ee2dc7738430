import { useCallback, useState } from 'react'

/** The rows that are checked, and the one that the last check began a range from. */
type Selection<Row> = {
  readonly checked: ReadonlySet<string>
  readonly check: (row: Row, index: number, isRange: boolean) => void
  readonly checkAll: () => void
  readonly clear: () => void
}

/** Checks rows one by one, by range (Shift) or all that are loaded. It survives every reload of the list. */
export function useSelection<Row extends { readonly id: string }>(rows: readonly Row[]): Selection<Row> {
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const [anchor, setAnchor] = useState<string>()
  const check = useCallback(
    (row: Row, index: number, isRange: boolean) => {
      const from = isRange ? rows.findIndex(({ id }) => id === anchor) : -1
      setAnchor(row.id)
      setChecked((before) => {
        const next = new Set(before)
        if (from !== -1) for (const { id } of rows.slice(Math.min(from, index), Math.max(from, index) + 1)) next.add(id)
        else if (!next.delete(row.id)) next.add(row.id)
        return next
      })
    },
    [rows, anchor],
  )
  const checkAll = useCallback(() => setChecked((before) => new Set(before.size === rows.length ? [] : rows.map(({ id }) => id))), [rows])
  const clear = useCallback(() => setChecked(new Set()), [])
  return { checked, check, checkAll, clear }
}
