import { Link } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, getErrorText } from '../api/api-error.ts'
import { live, startLive, stopLive } from '../api/live.ts'
import { logOut, switchTenant } from '../api/session.ts'
import { useTenants } from '../api/use-profile.ts'
import { printNumber, t } from '../i18n/translate.ts'
import { useStore } from '../lib/use-store.ts'
import { toVisibleText } from '../lib/visible-text.ts'
import { IconButton } from '../ui/button.tsx'
import { ChevronDown, ChevronRight, Keyboard, LogoIcon, LogOut, PanelLeftClose, PanelLeftOpen, SlidersHorizontal } from '../ui/icons.tsx'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { Menu } from '../ui/menu.tsx'
import { showToast } from '../ui/toast-store.ts'
import { useCommands } from './commands.ts'
import styles from './navigation.module.css'
import { openOverlay } from './overlay.ts'
import type { PageRow } from './page-table.ts'
import { useOpenCount } from './use-open-count.ts'

// Only customers see it.
const CustomerBrand = lazyPart(async () => (await import('./customer-brand.tsx')).CustomerBrand, ({ tenant }) => tenant)

/** Windows in which the navigation is folded until it is unfolded. */
const narrow = matchMedia('(max-width: 1099px)')

/** The navigation at the left: who is logged in where, and the pages by group. */
export function Navigation({
  pages,
  getRange,
  tenantId,
  email,
  isPortal,
}: {
  readonly pages: readonly PageRow[]
  /** The range that a page is opened with. */
  readonly getRange: (page: PageRow) => object
  readonly tenantId: string
  readonly email: string
  /** Whether these are the pages of customers, which stand under the name of their tenant. */
  readonly isPortal: boolean
}): ReactNode {
  const tenants = useTenants()
  const tenant = toVisibleText(tenants?.name ?? tenantId)
  const others = useOtherTenants(tenants)
  const [isFolded, setIsFolded] = useState(narrow.matches)
  useEffect(() => {
    const follow = (): void => setIsFolded(narrow.matches)
    narrow.addEventListener('change', follow)
    return () => narrow.removeEventListener('change', follow)
  }, [])
  return (
    <nav aria-label={t('nav.label')} className={styles['navigation']} data-folded={isFolded || undefined}>
      <div className={styles['brand']}>
        {!isPortal && <LogoIcon size={18} aria-hidden />}
        <span className={styles['name']}>{isPortal ? <CustomerBrand tenant={tenant} /> : t('app.name')}</span>
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
          ...others.map((item, index) => ({ ...item, icon: ChevronRight, ...(index === 0 && { group: t('tenant.switch') }) })),
          { label: t('head.look'), icon: SlidersHorizontal, group: t('tenant.signedInAs', { email }), run: () => openOverlay('look') },
          { label: t('keys.help'), icon: Keyboard, run: () => openOverlay('keys') },
          { label: t('tenant.logOut'), icon: LogOut, run: () => void logOut() },
        ]}
      />
      <ul className={styles['pages']}>
        {pages.map((page, index) => (
          <li key={page.path}>
            {page.group !== undefined && page.group !== pages[index - 1]?.group && (
              <div className={styles['group']}>{t(`nav.${page.group}`)}</div>
            )}
            <PageLink page={page} search={getRange(page)} isFolded={isFolded} hasRate={page.path === '/alerts' && !isPortal} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** What goes on in the other tenants of the account, for the menu and for the palette. */
function useOtherTenants(tenants: ReturnType<typeof useTenants>): readonly { readonly label: string; readonly run: () => void }[] {
  const others = tenants?.others
  const items = useMemo(() => (others ?? []).map((tenant) => ({
    // Two tenants may have one name.
    label: toVisibleText(tenant.name === tenant.id ? tenant.id : `${tenant.name} (${tenant.id})`),
    run: () => void goOnIn(tenant),
  })), [others])
  useCommands(useMemo(() => items.map(({ label, run }) => ({ label: `${t('tenant.switch')}: ${label}`, run })), [items]))
  return items
}

async function goOnIn({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
  stopLive()
  try {
    await switchTenant(id)
  } catch (error) {
    startLive()
    const needsLogin = error instanceof ApiError && error.status === 403
    showToast({ kind: 'error', text: needsLogin ? t('tenant.needsLogin', { name: toVisibleText(name) }) : getErrorText(error) })
  }
}

function PageLink({ page: { path, label: key, icon: PageIcon }, search, isFolded, hasRate }: {
  readonly page: PageRow
  readonly search: object
  readonly isFolded: boolean
  readonly hasRate: boolean
}): ReactNode {
  const id = useId()
  const open = useOpenCount(path)
  const label = t(key)
  return (
    <Link
      to={path}
      search={search as never}
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
