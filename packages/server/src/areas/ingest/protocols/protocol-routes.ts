import type { Readiness } from '../../../http/health.ts'
import type { Route } from '../../../http/route.ts'
import type { IntakeDeps } from '../receive-body.ts'
import { answerElasticRoot, elasticRoutes } from './elastic-routes.ts'
import { otlpRoutes } from './otlp-routes.ts'
import { splunkRoutes } from './splunk-routes.ts'

export { answerElasticRoot }

/** What shippers speak that is not ours. Its vendors document it, so no document of an API of ours lists it. */
export function protocolRoutes(deps: IntakeDeps & { readonly readiness: Readiness }): readonly Route[] {
  return [...elasticRoutes(deps), ...splunkRoutes(deps), ...otlpRoutes(deps, '/ingest/otlp')]
}
