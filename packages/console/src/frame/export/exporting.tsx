import { useEffect, useMemo, useRef } from 'react'
import type { ReactNode } from 'react'
import { enOverlays } from '../../i18n/en/overlays.ts'
import { addTexts, printNumber, t } from '../../i18n/translate.ts'
import type { SavedFormat } from '../../lib/lists/row-counter.ts'
import { useStore } from '../../lib/use-store.ts'
import { Button } from '../../ui/button.tsx'
import { Download, X } from '../../ui/icons.tsx'
import { runPart } from '../../ui/loading/lazy-part.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useCommands } from '../commands.ts'
import styles from './exporting.module.css'
import { runningExport } from './export-store.ts'
import type { ExportedList } from './export-store.ts'

// They are no part of the first page.
addTexts(enOverlays)

const formats: readonly SavedFormat[] = ['csv', 'json']

/** Exports the listed rows as a file; while one is made, shows how far it is, and stops it. */
export function Exporting({ resource, query, total }: ExportedList): ReactNode {
  const running = useStore(runningExport)
  // Pages make their query anew whenever they are drawn, and the palette wants the same commands meanwhile.
  const list = useRef({ resource, query, total })
  useEffect(() => {
    list.current = { resource, query, total }
  })
  const items = useMemo(() => {
    // What makes the file is no part of the first page.
    const load = async () => (await import('./run-export.ts')).runExport
    const begin = (format: SavedFormat) => runPart(load, (runExport) => runExport(list.current, format))
    return formats.map((format) => ({ label: t(`export.as.${format}`), run: () => void begin(format) }))
  }, [])
  useCommands(items)
  if (running !== undefined) return <Progress {...running} />
  return (
    <Menu
      label={t('export')}
      align="end"
      button={(target) => (
        <Button kind="ghost" icon={Download} {...target}>
          {t('export')}
        </Button>
      )}
      items={items}
    />
  )
}

function Progress({ count, total, stop }: { readonly count: number; readonly total: number; readonly stop: () => void }): ReactNode {
  const text = t('export.progress', { count: printNumber(count), total: printNumber(Math.max(count, total)) })
  return (
    <>
      <span
        className={styles['progress']}
        role="progressbar"
        aria-label={t('export')}
        aria-valuemin={0}
        aria-valuemax={Math.max(count, total)}
        aria-valuenow={count}
        aria-valuetext={text}
      >
        {text}
      </span>
      <Button kind="ghost" icon={X} onClick={stop}>
        {t('export.stop')}
      </Button>
    </>
  )
}
