import { useEffect } from 'react'
import type { ReactNode, RefObject } from 'react'
import { t } from '../i18n/translate.ts'
import { chooseWidth } from '../lib/lists/choose-columns.ts'
import { IconButton } from './button.tsx'
import { ColumnForm } from './column-form.tsx'
import { SlidersHorizontal } from './icons.tsx'
import { Popover } from './popover.tsx'

type ColumnToolsProps = {
  readonly table: string
  readonly columns: readonly { readonly id: string; readonly title: string; readonly width: string }[]
  /** The head of the table: an edge of a column that is drawn there widens it. */
  readonly head: RefObject<HTMLElement | null>
}

/** Chooses which columns a table shows, in a form and at the head itself. */
export function ColumnTools({ table, columns, head }: ColumnToolsProps): ReactNode {
  useEffect(() => {
    const element = head.current
    const begin = (event: PointerEvent): void => {
      const handle = event.target instanceof HTMLElement ? event.target : undefined
      const id = handle?.dataset['handle']
      if (handle !== undefined && id !== undefined) followPointer(event, handle, (width) => chooseWidth(table, id, width))
    }
    element?.addEventListener('pointerdown', begin)
    return () => element?.removeEventListener('pointerdown', begin)
  }, [head, table])
  const getWidth = (id: string): number => {
    return head.current?.querySelector<HTMLElement>(`[data-handle="${CSS.escape(id)}"]`)?.parentElement?.offsetWidth ?? 0
  }
  return (
    <Popover
      label={t('columns')}
      align="end"
      button={(target) => <IconButton icon={SlidersHorizontal} label={t('columns')} {...target} />}
    >
      {() => <ColumnForm table={table} columns={columns} getWidth={getWidth} />}
    </Popover>
  )
}

/** Widens a column as far as its edge is drawn. */
function followPointer({ clientX: start, pointerId }: PointerEvent, handle: HTMLElement, onWidth: (width: number) => void): void {
  const width = handle.parentElement?.offsetWidth ?? 0
  const move = ({ clientX }: PointerEvent): void => onWidth(width + clientX - start)
  handle.setPointerCapture(pointerId)
  handle.addEventListener('pointermove', move)
  handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', move), { once: true })
}
