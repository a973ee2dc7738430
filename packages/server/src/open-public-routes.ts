import { publicAlertRoutes } from './areas/alerts/public-alert-routes.ts'
import { publicCollectorRoutes } from './areas/collectors/public-collector-routes.ts'
import { publicAssetRoutes } from './areas/enrichment/public-asset-routes.ts'
import { publicComplianceRoutes } from './areas/compliance/public-compliance-routes.ts'
import { publicExportRoutes } from './areas/exports/public-export-routes.ts'
import { publicIncidentRoutes } from './areas/incidents/public-incident-routes.ts'
import { publicRuleRoutes } from './areas/rules/public-rule-routes.ts'
import { publicSearchRoutes } from './areas/search/public-search-routes.ts'
import { publicWebhookRoutes } from './areas/webhooks/public-webhook-routes.ts'
import type { PublicRoute } from './http/public/public-route.ts'

/** The areas that the public API shows, each with what it states. */
const areas = {
  alerts: publicAlertRoutes,
  search: publicSearchRoutes,
  rules: publicRuleRoutes,
  assets: publicAssetRoutes,
  collectors: publicCollectorRoutes,
  incidents: publicIncidentRoutes,
  exports: publicExportRoutes,
  compliance: publicComplianceRoutes,
  webhooks: publicWebhookRoutes,
} as const

type Areas = typeof areas
type StatedByAreas = { readonly [Area in keyof Areas]: Parameters<Areas[Area]>[0] }

/** Gathers the routes of the public API. A further area is a row above. */
export function openPublicRoutes(stated: StatedByAreas): readonly PublicRoute[] {
  const names = Object.keys(areas) as (keyof Areas)[]
  return names.flatMap((name) => (areas[name] as (stated: StatedByAreas[typeof name]) => PublicRoute[])(stated[name]))
}
