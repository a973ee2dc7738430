import { useDeferredValue, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { enOverlays } from '../i18n/en/overlays.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { useStore } from '../lib/use-store.ts'
import { Kbd } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { pageCommands } from './commands.ts'
import type { Command } from './commands.ts'
import styles from './palette.module.css'
import { rankCommands } from './rank-commands.ts'

// They are no part of the first page.
addTexts(enOverlays)

type Entry = Command & { readonly group: string }

/** The palette: pages and actions by name. The first result is always what Enter does. */
export function Palette({ pages, onClose }: { readonly pages: readonly Command[]; readonly onClose: () => void }): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const actions = useStore(pageCommands)
  const list = useRef<HTMLUListElement>(null)
  const entries = useMemo<readonly Entry[]>(
    () => [
      ...pages.map((command) => ({ ...command, group: t('palette.pages') })),
      ...[...actions.values()].flat().map((command) => ({ ...command, group: t('palette.actions') })),
    ],
    [pages, actions],
  )
  const found = rankCommands(entries, text)
  const shown = useDeferredValue(found)
  const index = Math.min(chosen, shown.length - 1)
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) {
      event.preventDefault()
      const next = (index + move + shown.length) % Math.max(1, shown.length)
      setChosen(next)
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      // What is shown may be of what was typed before; a person who types fast means what was typed.
      run(found[Math.min(chosen, found.length - 1)])
    }
  }
  return (
    <Dialog title={t('palette.label')} onClose={onClose}>
      <input
        className={styles['input']}
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-label={t('palette.placeholder')}
        placeholder={t('palette.placeholder')}
        aria-activedescendant={shown.length === 0 ? undefined : `${id}-${index}`}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setText(event.target.value)
          setChosen(0)
        }}
      />
      <ul ref={list} id={id} role="listbox" aria-label={t('palette.label')} className={styles['list']}>
        {shown.map((entry, position) => (
          <li
            key={`${entry.group} ${entry.label}`}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === index}
            className={styles['entry']}
            onClick={() => run(entry)}
            onPointerMove={() => setChosen(position)}
          >
            <span className={styles['label']}>{entry.label}</span>
            <span className={styles['group']}>{entry.group}</span>
            {entry.keys !== undefined && <Kbd keys={entry.keys} />}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className={styles['nothing']}>{t('palette.nothing')}</p>}
    </Dialog>
  )
}
