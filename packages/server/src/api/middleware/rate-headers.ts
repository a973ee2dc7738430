import { buildRateHeaders } from '../../app/authenticate-request.ts'
import type { RateDecision } from '../../app/authenticate-request.ts'
import type { RequestContext } from '../route.ts'

/** Says on an answer how many more requests may come (D-29, D-81). */
export function setRateHeaders(c: RequestContext, decision: RateDecision, nowMs: number): void {
  for (const [name, value] of Object.entries(buildRateHeaders(decision, nowMs))) c.header(name, value)
}
