import { useRouter } from '@tanstack/react-router'
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { useUser } from '../../api/use-user.ts'
import { t } from '../../i18n/translate.ts'
import { useStore } from '../../lib/use-store.ts'
import { toVisibleText } from '../../lib/visible-text.ts'
import { Kbd } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { pageCommands } from '../commands.ts'
import type { Command } from '../commands.ts'
import { typedAhead } from '../overlay.ts'
import styles from './palette.module.css'
import { rankCommands } from './rank-commands.ts'
import { listRecent, noteRecent } from './recent.ts'
import { isAmong, listRecognized, toEventSearch } from './targets.ts'
import type { Target } from './targets.ts'
import { useTargets, useViewTargets } from './use-targets.ts'

type Entry = Command & { readonly id: string; readonly group: string }

type PaletteProps = {
  /** The pages, and what can be done on each of them. */
  readonly pages: readonly Command[]
  readonly actions: readonly Command[]
  /** The paths of the pages that the user has: nothing leads elsewhere. */
  readonly paths: readonly string[]
  readonly onClose: () => void
}

/** The palette: pages, actions and what the server knows, by name. The first result is always what Enter does. */
export function Palette({ pages, actions, paths, onClose }: PaletteProps): ReactNode {
  const id = useId()
  const [text, setText] = useState('')
  // Not its first state: more may be typed between its first rendering and its showing.
  useLayoutEffect(() => setText(typedAhead.get()), [])
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLUListElement>(null)
  const { entries, problem } = useEntries(text, { pages, actions, paths })
  const index = Math.min(chosen, entries.length - 1)
  const run = (entry: Entry | undefined): void => {
    if (entry === undefined) return
    onClose()
    entry.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined) {
      event.preventDefault()
      const next = (index + move + entries.length) % Math.max(1, entries.length)
      setChosen(next)
      list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(entries[index])
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
        aria-activedescendant={entries.length === 0 ? undefined : `${id}-${index}`}
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
        {entries.map((entry, position) => (
          <li
            key={`${entry.group} ${entry.id}`}
            id={`${id}-${position}`}
            role="option"
            aria-selected={position === index}
            className={styles['entry']}
            onClick={() => run(entry)}
            onPointerMove={() => setChosen(position)}
          >
            <span className={styles['label']} title={toVisibleText(entry.label)}>{toVisibleText(entry.label)}</span>
            <span className={styles['group']}>{entry.group}</span>
            {entry.keys !== undefined && <Kbd keys={entry.keys} />}
            {position === index && <Kbd keys="Enter" />}
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p className={styles['nothing']}>{t('palette.nothing')}</p>}
      {problem !== undefined && <p className={styles['nothing']} role="status">{t('palette.partial', { problem })}</p>}
    </Dialog>
  )
}

/** What fits a text: what is known at once, then what the server found, and the search for the text among events. */
function useEntries(
  text: string, { pages, actions, paths }: Omit<PaletteProps, 'onClose'>,
): { readonly entries: readonly Entry[]; readonly problem: string | undefined } {
  const router = useRouter()
  const { id: userId, tenant_id: tenant } = useUser()
  const user = `${tenant} ${userId}`
  const ofPage = useStore(pageCommands)
  const views = useViewTargets(paths)
  const { targets, problem } = useTargets(text, paths)
  const toEntry = (target: Target): Entry => ({
    id: `${target.to} ${target.id}`, group: target.group, label: target.label,
    run: () => {
      noteRecent(user, target)
      void router.navigate({ to: target.to, search: target.search ?? {} } as never)
    },
  })
  const commands = useMemo<readonly Entry[]>(
    () => [
      ...pages.map((command) => ({ ...command, id: command.label, group: t('palette.pages') })),
      ...[...[...ofPage.values()].flat(), ...actions].map((command) => ({ ...command, id: command.label, group: t('palette.actions') })),
    ],
    [pages, actions, ofPage],
  )
  if (text.trim() === '') {
    const recent = listRecent(user).map((target) => ({ ...toEntry(target), group: t('palette.recent') }))
    return { entries: [...recent, ...commands, ...views.map(toEntry)], problem }
  }
  const known = rankCommands([...commands, ...views.map(toEntry)], text)
  const recognized = listRecognized(text).filter((target) => isAmong(paths, target))
  const search = [toEventSearch(text)].filter((target) => isAmong(paths, target))
  return { entries: [...recognized.map(toEntry), ...known, ...[...targets, ...search].map(toEntry)], problem }
}
