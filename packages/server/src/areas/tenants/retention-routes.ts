import { retentionForecastQuerySchema, retentionForecastSchema } from '@tripline/contract/console/access/retention-forecast'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { forecastRetention } from './retention-forecast.ts'
import type { ForecastDeps } from './retention-forecast.ts'

/** The route of what retention needs on disk. */
export function retentionRoutes(deps: ForecastDeps): Route[] {
  return [{
    method: 'GET', path: '/v1/settings/retention/forecast', access: 'administer_tenant',
    summary: 'Forecasts the disk that events need by their retention', query: retentionForecastQuerySchema,
    responses: { 200: retentionForecastSchema },
    handle: async (c) => {
      const { query: { events_days: days } } = readQuery(c, retentionForecastQuerySchema)
      return respond(c, await forecastRetention(deps, getPrincipal(c).tenant, days))
    },
  }]
}
