import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { useKeys } from '../../lib/keys.ts'
import { IconButton, Kbd } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { ChevronDown, ChevronUp, Copy, Maximize2, X } from '../../ui/icons.tsx'
import { SidePanel } from '../../ui/side-panel.tsx'
import type { SidePanelProps } from '../../ui/side-panel.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import styles from './entry-view.module.css'

/** One entry of a list: in a panel beside it, or as a page over it. */
export function EntryView({ isPage, ...view }: SidePanelProps & { readonly isPage: boolean }): ReactNode {
  const { label, head, tabs, foot, children } = view
  if (!isPage) return <SidePanel {...view} />
  return (
    <section className={styles['page']} aria-label={label}>
      <div className={styles['head']}>{head}</div>
      {tabs}
      <div className={styles['body']} tabIndex={-1}>
        {children}
      </div>
      {foot !== undefined && <div className={styles['foot']}>{foot}</div>}
    </section>
  )
}

/** The first line of an entry: what it is, its place in the list, and the ways to others, to its page and back. */
export function EntryBar({ isPage, path, position, total, onMove, onOpenPage, onClose, children }: {
  readonly isPage: boolean
  /** The path of its page, which stays the same. */
  readonly path: string
  /** Its place among the rows of the list, from 1; 0 where it is none of them. */
  readonly position: number
  readonly total: number
  readonly onMove: (step: -1 | 1) => void
  readonly onOpenPage: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}): ReactNode {
  const copyLink = (): void => void copyText(location.origin + path)
  useKeys([{ keys: 'm', label: t('entry.copyLink'), run: copyLink }])
  return (
    <div className={styles['bar']}>
      {children}
      <span className={styles['position']}>{position > 0 && t('panel.position', { position, total })}</span>
      <IconButton icon={ChevronUp} label={t('entry.previous')} onClick={() => onMove(-1)} />
      <IconButton icon={ChevronDown} label={t('entry.next')} onClick={() => onMove(1)} />
      <IconButton icon={Copy} label={t('entry.copyLink')} onClick={copyLink} />
      {!isPage && <IconButton icon={Maximize2} label={t('entry.openPage')} onClick={onOpenPage} />}
      <IconButton icon={X} label={isPage ? t('entry.back') : t('close')} onClick={onClose} />
    </div>
  )
}

/** The keys of an entry, below it: the ways to others, to its page and back, and between them those of its list. */
export function EntryFoot({ isPage, keys }: {
  readonly isPage: boolean
  readonly keys: readonly (readonly [key: string, label: string])[]
}): ReactNode {
  const shown = [...(isPage ? [] : [['o', t('entry.foot.page')] as const]), ...keys, ['m', t('entry.foot.link')] as const]
  return (
    <>
      <span>
        <Kbd keys={isPage ? ']' : 'j'} /> <Kbd keys={isPage ? '[' : 'k'} /> {t('entry.foot.move')}
      </span>
      {shown.map(([key, label]) => <span key={key}><Kbd keys={key} /> {label}</span>)}
      <span className={styles['end']}>
        <Kbd keys="Escape" /> {isPage ? t('entry.foot.back') : t('entry.foot.close')}
      </span>
    </>
  )
}

/** The tabs of an entry: without one of them all of its parts are shown. */
export function EntryTabs<Tab extends string>({ tabs, current, printTab, onChoose }: {
  readonly tabs: readonly Tab[]
  readonly current: Tab | undefined
  readonly printTab: (tab: Tab) => string
  readonly onChoose: (tab: Tab | undefined) => void
}): ReactNode {
  return (
    <Tabs<Tab | 'all'>
      label={t('entry.tabs')}
      tabs={[{ id: 'all', label: t('entry.all') }, ...tabs.map((id) => ({ id, label: printTab(id) }))]}
      current={current ?? 'all'}
      onChoose={(id) => onChoose(id === 'all' ? undefined : id)}
    />
  )
}

/** A part of an entry, which one of its tabs shows alone. */
export type EntryPart<Tab extends string> = {
  readonly id: string
  readonly tab?: Tab
  /** Whether a page shows it in its second column. */
  readonly isAside?: boolean
  readonly content: ReactNode
}

/** The parts of an entry: in their order, those of a tab alone, or in the two columns of a page. */
export function EntryParts<Tab extends string>({ isPage, tab, parts }: {
  readonly isPage: boolean
  readonly tab: Tab | undefined
  readonly parts: readonly EntryPart<Tab>[]
}): ReactNode {
  const print = (chosen: readonly EntryPart<Tab>[]): ReactNode => chosen.map(({ id, content }) => <Fragment key={id}>{content}</Fragment>)
  if (tab !== undefined) return print(parts.filter((part) => part.tab === tab))
  if (!isPage) return print(parts)
  return (
    <div className={styles['columns']}>
      <div>{print(parts.filter(({ isAside = false }) => !isAside))}</div>
      <div>{print(parts.filter(({ isAside = false }) => isAside))}</div>
    </div>
  )
}
