import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { Suspense, lazy, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { queryClient } from './api/query-client.ts'
import { session } from './api/session.ts'
import { Frame } from './frame/frame.tsx'
import { loadLanguage } from './i18n/translate.ts'
import { look } from './lib/look.ts'
import { useStore } from './lib/use-store.ts'
import { createPageRouter, pages } from './routes.tsx'

// Most visits begin with a session.
const LoginPage = lazy(async () => ({ default: (await import('./pages/login/login-page.tsx')).LoginPage }))
const LoginOverlay = lazy(async () => ({ default: (await import('./pages/login/login-overlay.tsx')).LoginOverlay }))

const router = createPageRouter(Root)

/** The console: the login without a session, else the frame with the page of the address. */
export function App(): ReactNode {
  const state = useStore(session)
  const language = useStore(look, (kept) => kept.language)
  const [loaded, setLoaded] = useState('en')
  useEffect(() => {
    void loadLanguage(language).then(() => setLoaded(language))
  }, [language])
  if (state.kind === 'starting' || loaded !== language) return null
  if (state.kind === 'closed') {
    return (
      <Suspense fallback={null}>
        <LoginPage />
      </Suspense>
    )
  }
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider key={`${language} ${state.user.tenant_id} ${state.user.id}`} router={router} />
      <Suspense fallback={null}>
        {state.kind === 'expired' && <LoginOverlay email={state.user.email} tenant={state.user.tenant_id} />}
      </Suspense>
    </QueryClientProvider>
  )
}

function Root(): ReactNode {
  const state = useStore(session)
  return state.kind === 'open' || state.kind === 'expired' ? <Frame pages={pages} user={state.user} /> : null
}
