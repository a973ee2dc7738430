import type { SessionUserBody, TokenBody } from '@tripline/contract/console/access/session'
import { createStore } from '../lib/store.ts'
import { ApiError, readApiError } from './api-error.ts'

/** `starting` until the first refresh is answered, `closed` without a session, `expired` while a page is open under the login. */
type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'closed'; readonly isLinkRefused?: true; readonly signOnProblem?: string }
  | { readonly kind: 'expired'; readonly user: SessionUserBody }
  | { readonly kind: 'open'; readonly user: SessionUserBody; readonly token: string; readonly renewedAt: number }

/** Credentials of a login form; `new_password` and `totp` in its second step. */
type LoginRequest = {
  readonly email: string
  readonly password: string
  readonly new_password?: string
  readonly totp?: string
  readonly tenant_id?: string
}

type TabMessage = { readonly kind: 'token'; readonly body: TokenBody; readonly at: number } | { readonly kind: 'logout' }

/** An access token lasts 15 minutes. */
const renewEveryMs = 12 * 60_000

const linkPrefix = '#login='
const problemPrefix = '#sign-on='

/** The session of this page: the access token is in memory only, the refresh token in a cookie that scripts cannot read. */
export const session = createStore<SessionState>({ kind: 'starting' })

const tabs = new BroadcastChannel('tripline-session')
let renewing: Promise<string | undefined> | undefined
let renewTimer: ReturnType<typeof setTimeout> | undefined
/** Whose data this page may hold. */
let holder: string | undefined

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind === 'logout') close()
  // Another tenant's token is of another login: this tab asks for its own when it needs one.
  else if (getTenant() === undefined || getTenant() === data.body.user.tenant_id) accept(data.body, data.at)
})

/** Opens a session by the login link of the address, or else that of the cookie, if there is one. */
export async function startSession(): Promise<void> {
  const link = takeFromAddress(linkPrefix)
  const signOnProblem = takeFromAddress(problemPrefix)
  const isLinkRefused = link !== undefined && !(await logInByLink(link))
  if (session.get().kind === 'starting') await renewToken()
  if (session.get().kind === 'starting') close()
  // A refused link ends no session: one that is opened again in the same browser leads to where it led before.
  if (session.get().kind !== 'closed') return
  if (isLinkRefused) session.set({ kind: 'closed', isLinkRefused })
  else if (signOnProblem !== undefined) session.set({ kind: 'closed', signOnProblem })
}

/** What follows a prefix in the address, which it leaves at once, so that neither history nor a bookmark keeps it. */
function takeFromAddress(prefix: string): string | undefined {
  const { hash, pathname, search } = window.location
  if (!hash.startsWith(prefix)) return undefined
  window.history.replaceState(window.history.state, '', pathname + search)
  return hash.slice(prefix.length)
}

async function logInByLink(token: string): Promise<boolean> {
  return await postForToken('/v1/auth/link', { token }).then(
    () => true,
    () => false,
  )
}

/** Logs in. @throws ApiError with `details.needs` where a code or a new password is missing. */
export async function logIn(request: LoginRequest): Promise<void> {
  await postForToken('/v1/auth/login', request)
}

/**
 * Goes on in another tenant of the account. Other tabs follow: the session that they have ends, and the cookie is that of the new one.
 * No token is renewed meanwhile, for the new page must be the first to use the new cookie.
 *
 * @throws ApiError where that tenant wants a login of its own, and the page goes on as it was.
 */
export async function switchTenant(id: string): Promise<void> {
  const token = await renewToken()
  if (token === undefined) return
  renewing = exclusively(async () => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
    await post('/v1/auth/switch', { headers, body: JSON.stringify({ tenant_id: id }) })
    beginAnew()
    return await new Promise<never>(() => undefined)
  }).finally(() => {
    renewing = undefined
  })
  await renewing
}

/** Ends the session here and in all tabs. */
export async function logOut(): Promise<void> {
  await fetch('/v1/auth/logout', { method: 'POST' }).catch(() => undefined)
  tabs.postMessage({ kind: 'logout' } satisfies TabMessage)
  close()
}

/** Forgets the session; the page shows the login in place of everything. */
function close(): void {
  clearTimeout(renewTimer)
  session.set({ kind: 'closed' })
}

/** Notes that the server refuses the session: the login opens over the page, which stays as it is. */
export function expireSession(): void {
  const state = session.get()
  if (state.kind === 'open') session.set({ kind: 'expired', user: state.user })
  else if (state.kind === 'starting') close()
}

/** Resolves with the token once a session is open. */
export function waitForToken(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const check = (): boolean => {
    const state = session.get()
    if (state.kind !== 'open') return false
    resolve(state.token)
    return true
  }
  if (check()) return promise
  const stop = session.subscribe(() => {
    if (check()) stop()
  })
  return promise
}

/** The current token, waiting for the first refresh to be answered; undefined without a session. */
export function getToken(): string | undefined {
  const state = session.get()
  return state.kind === 'open' ? state.token : undefined
}

/**
 * Exchanges the cookie for a new access token: once for all requests that wait, and in one tab at a time, because a refresh
 * token that is used twice ends the session. Resolves with undefined if there is no session.
 */
export function renewToken(refused?: string): Promise<string | undefined> {
  renewing ??= exclusively(() => refresh(refused)).finally(() => {
    renewing = undefined
  })
  return renewing
}

async function refresh(refused: string | undefined): Promise<string | undefined> {
  const current = session.get()
  // Another tab was first.
  if (current.kind === 'open' && refused !== undefined && current.token !== refused) return current.token
  await postForToken('/v1/auth/refresh', undefined).catch((error: unknown) => {
    if (error instanceof ApiError && error.code !== 'NETWORK' && error.status < 500) expireSession()
    else scheduleRenewal(5_000)
  })
  return getToken()
}

/** Runs work in one tab at a time where the browser has locks: on https and on localhost. */
async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
  return 'locks' in navigator ? await navigator.locks.request('tripline-session', work) : await work()
}

async function postForToken(path: string, body: object | undefined): Promise<void> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  const response = await post(path, sent)
  if (response.status === 204) {
    expireSession()
    return
  }
  const token = (await response.json()) as TokenBody
  const at = Date.now()
  accept(token, at)
  tabs.postMessage({ kind: 'token', body: token, at } satisfies TabMessage)
}

async function post(path: string, sent: Pick<RequestInit, 'body' | 'headers'>): Promise<Response> {
  const response = await fetch(path, { method: 'POST', ...sent }).catch((error: unknown) => {
    throw new ApiError({ status: 0, code: 'NETWORK', message: String(error) })
  })
  if (!response.ok) throw await readApiError(response)
  return response
}

function accept({ access_token: token, user }: TokenBody, at: number): void {
  const next = `${user.tenant_id} ${user.id}`
  if (holder !== undefined && holder !== next) {
    beginAnew()
    return
  }
  holder = next
  session.set({ kind: 'open', token, user, renewedAt: at })
  scheduleRenewal(Math.max(0, at + renewEveryMs - Date.now()))
}

/**
 * Loads the page again at its beginning, where the cookie leads to the session that there is now: nothing that was read for another
 * user or tenant is left in it, neither what is shown nor the cache, and the socket is closed.
 */
function beginAnew(): void {
  clearTimeout(renewTimer)
  // The browser may keep this page whole, for its button back.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
  location.replace('/')
}

function scheduleRenewal(delayMs: number): void {
  clearTimeout(renewTimer)
  const token = getToken()
  renewTimer = setTimeout(() => void renewToken(token), delayMs)
}

function getTenant(): string | undefined {
  const state = session.get()
  return state.kind === 'open' || state.kind === 'expired' ? state.user.tenant_id : undefined
}
