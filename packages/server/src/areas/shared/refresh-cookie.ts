import { setCookie } from 'hono/cookie'
import type { TokenPair } from '../../access/login/session.ts'
import type { RequestContext } from '../../http/route.ts'

type CookieDeps = {
  /** Whether the public URL uses TLS, so that cookies can be marked secure. */
  readonly isPublicOverTls: boolean
}

/** The path of the routes that read the cookies of sessions. */
export const authPath = '/v1/auth'

/** Gives the browser the refresh token of a session, in a cookie that scripts cannot read. */
export function setRefreshCookie(deps: CookieDeps, c: RequestContext, { refreshToken, refreshUntil }: TokenPair): void {
  setCookie(c, getRefreshCookieName(deps), refreshToken, {
    path: authPath, httpOnly: true, sameSite: 'Strict', secure: deps.isPublicOverTls, expires: new Date(refreshUntil),
  })
}

/** Browsers accept a cookie with the prefix `__Secure-` over https alone (RFC 6265bis), so that no plain page can set it. */
export function getRefreshCookieName({ isPublicOverTls }: CookieDeps): string {
  return isPublicOverTls ? '__Secure-tripline_refresh' : 'tripline_refresh'
}
