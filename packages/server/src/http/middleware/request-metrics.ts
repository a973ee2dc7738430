import type { Runtime } from '@tripline/common/runtime'
import type { MiddlewareHandler } from 'hono'
import type { Env } from '../route.ts'

/** Counts handled requests. */
export type RequestMonitor = {
  readonly handled: (request: {
    readonly method: string
    readonly route: string
    readonly status: number
    readonly durationMs: number
    readonly code: string | undefined
  }) => void
}

/** Counts and times each request by its path template; what matches no route is counted together. */
export function requestMetrics(monitor: RequestMonitor, { elapsedMs }: Pick<Runtime, 'elapsedMs'>): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next()
    const { method, path } = c.get('route') ?? { method: 'other', path: 'none' }
    monitor.handled({
      method, route: path, status: c.res.status, durationMs: elapsedMs() - c.get('startedMs'), code: c.get('errorCode'),
    })
  }
}
