import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { RequestContext } from '../../http/route.ts'
import { limits } from '../../limits.ts'
import { SignOnError } from '../../sign-on/sign-on-error.ts'
import { authPath, setRefreshCookie } from '../shared/refresh-cookie.ts'
import type { FinishedLogin, SignOnDeps } from './log-in-at-provider.ts'

/**
 * Gives the browser its attempt. The cookie comes back with a navigation from the provider's site, which `Strict` would leave out,
 * and not with a form that is posted from there.
 */
export function setAttemptCookie(deps: SignOnDeps, c: RequestContext, attempt: string): void {
  setCookie(c, getAttemptCookieName(deps), attempt, {
    path: authPath, httpOnly: true, sameSite: 'Lax', secure: deps.logins.isPublicOverTls, maxAge: limits.signOn.attemptMs / 1_000,
  })
}

/** Ends a login with the attempt of the browser, which is forgotten: the browser shows the console, or why the login failed. */
export async function answerFinished(
  deps: SignOnDeps, c: RequestContext, finish: (cookie: string | undefined) => Promise<FinishedLogin>,
): Promise<Response> {
  const name = getAttemptCookieName(deps)
  const cookie = getCookie(c, name)
  deleteCookie(c, name, { path: authPath, secure: deps.logins.isPublicOverTls })
  try {
    const finished = await finish(cookie)
    if (finished.purpose === 'test') return c.redirect('/settings/sign-on', 303)
    setRefreshCookie(deps.logins, c, finished.pair)
    return c.redirect('/', 303)
  } catch (error) {
    return redirectToLogin(c, error)
  }
}

/** A browser shows the login page, which says in words what failed. */
export function redirectToLogin(c: RequestContext, error: unknown): Response {
  if (error instanceof SignOnError) return c.redirect(`/#sign-on=${error.problem}`, 303)
  throw error
}

function getAttemptCookieName({ logins: { isPublicOverTls } }: SignOnDeps): string {
  return isPublicOverTls ? '__Secure-tripline_sign_on' : 'tripline_sign_on'
}
