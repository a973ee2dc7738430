import type { Route } from './route.ts'

/** Whether the server takes work: not before it is open, and not while it closes. */
export type Readiness = { state: 'starting' | 'ready' | 'closing' }

/** `/healthz`: the process is alive. `/readyz`: it takes work (C1). */
export function healthRoutes(readiness: Readiness): Route[] {
  return [
    { method: 'GET', path: '/healthz', handle: (c) => c.json({ status: 'alive' }) },
    {
      method: 'GET',
      path: '/readyz',
      handle: (c) => c.json({ status: readiness.state }, readiness.state === 'ready' ? 200 : 503),
    },
  ]
}
