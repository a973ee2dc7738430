import type { MiddlewareHandler } from 'hono'
import { AppError } from '../../domain/app-error.ts'
import type { Env } from '../route.ts'

const loopbackNames = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Refuses requests that a web page of elsewhere made the user's browser send: those for a host name that is
 * not this machine's (a name that was rebound to it), and those whose origin is not on it. Only for as long as
 * whoever reaches a loopback address is let in without authentication.
 */
export function sameMachineOnly(): MiddlewareHandler<Env> {
  return async (c, next) => {
    const origin = c.req.header('origin')
    if (!isOnThisMachine(c.req.url) || (origin !== undefined && !isOnThisMachine(origin))) {
      throw new AppError('FORBIDDEN', 'without authentication only requests from and for this machine are served')
    }
    await next()
  }
}

function isOnThisMachine(url: string): boolean {
  return URL.canParse(url) && loopbackNames.test(new URL(url).hostname)
}
