import { buildRateHeaders } from '../../access/authenticate-request.ts'
import type { RateDecision } from '../../access/authenticate-request.ts'
import type { RequestContext } from '../route.ts'

/** Sets the rate limit headers of a response. */
export function setRateHeaders(c: RequestContext, decision: RateDecision, nowMs: number): void {
  for (const [name, value] of Object.entries(buildRateHeaders(decision, nowMs))) c.header(name, value)
}
