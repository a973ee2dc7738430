import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { live } from '../api/live.ts'
import { logOut } from '../api/session.ts'
import { printNumber, t } from '../i18n/translate.ts'
import { useStore } from '../lib/use-store.ts'
import { IconButton } from '../ui/button.tsx'
import type { Icon } from '../ui/icons.tsx'
import { ChevronDown, Keyboard, LogoIcon, LogOut, PanelLeftClose, PanelLeftOpen, SlidersHorizontal } from '../ui/icons.tsx'
import { Menu } from '../ui/menu.tsx'
import styles from './navigation.module.css'
import { openOverlay } from './overlay.ts'
import type { PageRow } from './page-table.ts'
import { useOpenCount } from './use-open-count.ts'

/** The navigation at the left: who is logged in where, and the pages by group. */
export function Navigation({
  name,
  pages,
  tenant,
  email,
  isPortal,
}: {
  /** What stands at the top. */
  readonly name: string
  readonly pages: readonly PageRow[]
  readonly tenant: string
  readonly email: string
  readonly isPortal: boolean
}): ReactNode {
  const [isFolded, setIsFolded] = useState(matchMedia('(max-width: 1099px)').matches)
  return (
    <nav aria-label={t('nav.label')} className={styles['navigation']} data-folded={isFolded || undefined}>
      <div className={styles['brand']}>
        <LogoIcon size={18} aria-hidden />
        <span className={styles['name']}>{name}</span>
        <IconButton
          icon={isFolded ? PanelLeftOpen : PanelLeftClose}
          label={isFolded ? t('nav.unfold') : t('nav.fold')}
          onClick={() => setIsFolded(!isFolded)}
        />
      </div>
      <Menu
        label={t('tenant.label')}
        button={(target) => (
          <button type="button" className={styles['tenant']} title={tenant} {...target}>
            <span className={styles['initial']} aria-hidden>
              {tenant.slice(0, 1).toUpperCase()}
            </span>
            <span className={styles['tenantName']}>{tenant}</span>
            <ChevronDown size={14} aria-hidden />
          </button>
        )}
        items={[
          { label: t('head.look'), icon: SlidersHorizontal, group: t('tenant.signedInAs', { email }), run: () => openOverlay('look') },
          { label: t('keys.help'), icon: Keyboard, run: () => openOverlay('keys') },
          { label: t('tenant.logOut'), icon: LogOut, run: () => void logOut() },
        ]}
      />
      <ul className={styles['pages']}>
        {pages.map(({ path, label, icon: PageIcon, group }, index) => (
          <li key={path}>
            {group !== undefined && group !== pages[index - 1]?.group && <div className={styles['group']}>{t(`nav.${group}`)}</div>}
            <PageLink path={path} label={t(label)} icon={PageIcon} isFolded={isFolded} hasRate={path === '/alerts' && !isPortal} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function PageLink({ path, label, icon: PageIcon, isFolded, hasRate }: {
  readonly path: string
  readonly label: string
  readonly icon: Icon
  readonly isFolded: boolean
  readonly hasRate: boolean
}): ReactNode {
  const id = useId()
  const open = useOpenCount(path)
  return (
    <Link
      to={path}
      className={styles['page']}
      activeProps={{ 'aria-current': 'page' }}
      activeOptions={{ includeSearch: false, exact: path === '/' }}
      title={isFolded ? label : undefined}
      aria-describedby={open === undefined ? undefined : id}
    >
      <PageIcon size={16} aria-hidden />
      <span className={styles['pageName']}>{label}</span>
      {hasRate && <AlertRate />}
      {open !== undefined && (
        // It describes the link, whose name must not change under a screen reader.
        <span className={styles['open']} title={t('nav.open', { count: open.count })} aria-hidden>
          {printNumber(open.count)}
          {open.isLowerBound && '+'}
          <span id={id} hidden>{t('nav.open', { count: open.count })}</span>
        </span>
      )}
    </Link>
  )
}

/** How many alerts the last minute brought, where it brought any: on every page one sees that a wave has begun. */
function AlertRate(): ReactNode {
  const { alertCount = 0 } = useStore(live)
  if (alertCount === 0) return null
  // The name of a link must not change under a screen reader; the Dashboard says the same in words.
  return (
    <span className={styles['rate']} title={t('nav.alertRate.title')} aria-hidden>
      {t('nav.alertRate', { count: alertCount })}
    </span>
  )
}
