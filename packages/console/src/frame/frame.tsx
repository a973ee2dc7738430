import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { Suspense, useCallback, useEffect, useMemo } from 'react'
import type { ReactNode } from 'react'
import type { SessionUserBody } from '@tripline/contract/console/access/session'
import { onLive, startLive, stopLive, togglePause } from '../api/live.ts'
import { loadPart } from '../api/load-part.ts'
import { queryClient } from '../api/query-client.ts'
import { addTexts, t } from '../i18n/translate.ts'
import { useKeys } from '../lib/keys.ts'
import { beginWide, stepDensity, toggleTheme } from '../lib/look.ts'
import { useStore } from '../lib/use-store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorBoundary } from '../ui/loading/error-boundary.tsx'
import { lazyPart, preloadPart } from '../ui/loading/lazy-part.tsx'
import { ToastRegion } from '../ui/toast.tsx'
import styles from './frame.module.css'
import { Navigation } from './navigation.tsx'
import { closeOverlay, openOverlay, overlay, typedAhead } from './overlay.ts'
import type { PageRow } from './page-table.ts'
import { useKeptRange } from './use-kept-range.ts'

// What opens at a key is no part of the first page.
const loadPalette = async () => {
  const [module, { enPalette }] = await Promise.all([import('./palette/palette.tsx'), import('../i18n/en/palette.ts')])
  addTexts(enPalette)
  return module.Palette
}
const Palette = lazyPart(loadPalette, printPaletteField)
const KeyHelp = lazyPart(async () => (await import('./key-help.tsx')).KeyHelp, printEmptyDialog)
const LookDialog = lazyPart(async () => (await import('./look-dialog.tsx')).LookDialog, printEmptyDialog)

/** The frame around every page, for one user in one tenant: leaving it forgets what was read there. */
export function Frame({ pages, user, isPortal = false }: {
  readonly pages: readonly PageRow[]
  readonly user: SessionUserBody
  /** Whether these are the pages of customers, which stand under the name of their tenant. */
  readonly isPortal?: boolean
}): ReactNode {
  const router = useRouter()
  const open = useStore(overlay)
  const pathname = useLocation({ select: (location) => location.pathname })
  const getRange = useKeptRange(pages)
  const goTo = useCallback((page: PageRow): void => {
    void router.navigate({ to: page.path, search: getRange(page) } as never)
  }, [router, getRange])
  useEffect(() => {
    // Customers look at few rows.
    if (isPortal) beginWide()
  }, [isPortal])
  useEffect(() => {
    startLive()
    // It is there before it is wanted: what is typed after its key must reach it, and not the keys of the page.
    let stopKeeping: (() => void) | undefined
    let isLeft = false
    const idle = requestIdleCallback(() => {
      preloadPart(loadPalette)
      void loadPart(async () => (await import('./keep-preferences.ts')).keepPreferences).then((keepPreferences) => {
        if (!isLeft) stopKeeping = keepPreferences()
      }, () => undefined)
    })
    // More happened than can be replayed: everything is read again.
    const stop = onLive(({ type }) => {
      if (type === 'gap') void queryClient.invalidateQueries()
    })
    return () => {
      isLeft = true
      cancelIdleCallback(idle)
      stopKeeping?.()
      stop()
      stopLive()
      queryClient.clear()
    }
  }, [])
  const commands = useMemo(
    () => ({
      pages: pages.map((page) => ({ label: t(page.label), keys: page.keys, run: () => goTo(page) })),
      actions: [
        { label: t('keys.theme'), keys: 'Shift+d', run: toggleTheme },
        { label: t('head.look'), run: () => openOverlay('look') },
        { label: t('keys.help'), keys: '?', run: () => openOverlay('keys') },
      ],
    }),
    [pages, goTo],
  )
  useKeys([
    { keys: 'Mod+k', label: t('keys.palette'), isGlobal: true, run: () => openOverlay('palette') },
    { keys: '?', label: t('keys.help'), run: () => openOverlay('keys') },
    { keys: 'p', label: t('keys.pause'), run: togglePause },
    { keys: 'Shift+d', label: t('keys.theme'), run: toggleTheme },
    { keys: '-', label: t('keys.denser'), run: () => stepDensity(-1) },
    { keys: '=', label: t('keys.wider'), run: () => stepDensity(1) },
    ...pages.map((page) => ({ keys: page.keys, label: t('keys.goTo', { page: t(page.label) }), run: () => goTo(page) })),
  ], true)
  return (
    <div className={styles['frame']}>
      <a href="#content" className={styles['skip']}>
        {t('nav.skip')}
      </a>
      <Navigation pages={pages} getRange={getRange} tenantId={user.tenant_id} email={user.email} isPortal={isPortal} />
      <main id="content" className={styles['page']} tabIndex={-1}>
        <ErrorBoundary shown={pathname}>
          <Suspense fallback={null}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <ToastRegion />
      {open === 'palette' && <Palette {...commands} paths={pages.map(({ path }) => path)} onClose={closeOverlay} />}
      {open === 'keys' && <KeyHelp onClose={closeOverlay} />}
      {open === 'look' && <LookDialog onClose={closeOverlay} />}
    </div>
  )
}

/** Until the palette is there: what is typed goes to it. */
function printPaletteField(_props: object, message: ReactNode): ReactNode {
  return (
    <Dialog title={t('palette.label')} onClose={closeOverlay}>
      <input type="text" aria-label={t('palette.label')} autoComplete="off" onChange={({ target }) => typedAhead.set(target.value)} />
      {message}
    </Dialog>
  )
}

/** Until a dialog is there: what is typed must not reach the keys of the page. */
function printEmptyDialog(_props: object, message: ReactNode): ReactNode {
  return (
    <Dialog title={t('palette.label')} onClose={closeOverlay}>
      {message}
    </Dialog>
  )
}
