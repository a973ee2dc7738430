import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { SessionUserBody } from '@tripline/contract/console/access/session'
import { queryClient } from './api/query-client.ts'
import { session } from './api/session.ts'
import { Frame } from './frame/frame.tsx'
import { addTexts, loadLanguage } from './i18n/translate.ts'
import { look } from './lib/look.ts'
import { useStore } from './lib/use-store.ts'
import { createPageRouter, pages, portalPages } from './routes.tsx'
import { lazyPart } from './ui/loading/lazy-part.tsx'

// Most visits begin with a session.
const LoginPage = lazyPart(async () => {
  await loadLoginTexts()
  return (await import('./pages/login/login-page.tsx')).LoginPage
})
const LoginOverlay = lazyPart(async () => {
  await loadLoginTexts()
  return (await import('./pages/login/login-overlay.tsx')).LoginOverlay
})

const portalPath = '/portal'
const consoleRouter = createPageRouter(Root, pages, '/')
const portalRouter = createPageRouter(Root, portalPages, portalPath)

/** The console: the login without a session, else the frame with the page of the address. */
export function App(): ReactNode {
  const state = useStore(session)
  const language = useStore(look, (kept) => kept.language)
  const [loaded, setLoaded] = useState('en')
  useEffect(() => {
    // Pages bring their texts in English.
    if (language === 'en') setLoaded(language)
    else void loadLanguage(language).then(() => setLoaded(language))
  }, [language])
  if (state.kind === 'starting' || loaded !== language) return null
  if (state.kind === 'closed') return <LoginPage />
  const isPortal = leadToPortal(state.user)
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider
        key={`${language} ${state.user.tenant_id} ${state.user.id}`}
        router={isPortal ? portalRouter : consoleRouter}
      />
      {state.kind === 'expired' && <LoginOverlay email={state.user.email} tenant={state.user.tenant_id} />}
    </QueryClientProvider>
  )
}

function Root(): ReactNode {
  const state = useStore(session)
  if (state.kind !== 'open' && state.kind !== 'expired') return null
  return <Frame pages={isBelowPortal() ? portalPages : pages} user={state.user} isPortal={isBelowPortal()} />
}

/**
 * Whether the pages of customers are shown. Customers are led to them from every address, so that a link to `/alerts/{id}` works for
 * everybody; others see them where they ask for them.
 */
function leadToPortal({ interface: own }: SessionUserBody): boolean {
  const { pathname, search, hash } = location
  if (own === 'portal' && !isBelowPortal()) history.replaceState(history.state, '', portalPath + pathname + search + hash)
  return isBelowPortal()
}

function isBelowPortal(): boolean {
  return location.pathname === portalPath || location.pathname.startsWith(`${portalPath}/`)
}

async function loadLoginTexts(): Promise<void> {
  addTexts((await import('./i18n/en/login.ts')).enLogin)
}
