import { z } from 'zod'
import { respond } from './respond.ts'
import type { Route } from './route.ts'

/**
 * Readiness of the server: it is not ready before it is open, while its disk is full, while it closes, or after its disk
 * failed.
 */
export type Readiness = { state: 'starting' | 'ready' | 'full' | 'closing' | 'failed' }

const aliveSchema = z.strictObject({ status: z.literal('alive') })
const readinessSchema = z.strictObject({ status: z.enum(['starting', 'ready', 'full', 'closing', 'failed']) })

/** Routes for probes. `/healthz`: the process is alive. `/readyz`: it accepts work. */
export function healthRoutes(readiness: Readiness): Route[] {
  return [
    {
      method: 'GET', path: '/healthz', access: 'anyone', summary: 'Reports that the process is alive',
      responses: { 200: aliveSchema }, handle: (c) => respond(c, { status: 'alive' }),
    },
    {
      method: 'GET', path: '/readyz', access: 'anyone', summary: 'Reports whether the server accepts requests',
      responses: { 200: readinessSchema, 503: readinessSchema },
      handle: (c) => respond(c, { status: readiness.state }, readiness.state === 'ready' ? 200 : 503),
    },
  ]
}
