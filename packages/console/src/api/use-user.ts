import type { SessionUserBody } from '@tripline/contract/console/access/session'
import { useStore } from '../lib/use-store.ts'
import { session } from './session.ts'

/** The user who is logged in. @throws Error outside of a session, where no page is shown. */
export function useUser(): SessionUserBody {
  const state = useStore(session)
  if (state.kind === 'open' || state.kind === 'expired') return state.user
  throw new Error('pages are shown to users who are logged in')
}
