import { brandingChangeSchema, brandingSchema } from '@tripline/contract/console/response/report'
import type { BrandingBody } from '@tripline/contract/console/response/report'
import type { ReportBranding } from '@tripline/model/report'
import { readIfMatch } from '../../http/etag.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { printLogo, putBranding } from '../../reports/branding.ts'
import type { BrandingDeps } from '../../reports/branding.ts'

const path = '/v1/settings/branding'
const access = 'administer_tenant'

/** Routes for the name and the logo at the head of the tenant's reports. */
export function brandingRoutes(deps: BrandingDeps): Route[] {
  return [
    {
      // Readers of reports see it at their head.
      method: 'GET', path, access: 'read', summary: "Returns the name and the logo at the head of the tenant's reports", headers: ['ETag'],
      responses: { 200: brandingSchema },
      handle: async (c) => {
        const branding = await deps.state.reports.getBranding(getPrincipal(c).tenant)
        return respondWithEtag(c, printBranding(branding), branding.version)
      },
    },
    {
      method: 'PUT', path, access, summary: "Replaces the name and the logo at the head of the tenant's reports",
      body: brandingChangeSchema, checksVersion: true, headers: ['ETag'], errors: ['INVALID_PARAMETER'],
      responses: { 200: brandingSchema },
      handle: async (c) => {
        const wanted = await readJson(c, brandingChangeSchema)
        const branding = await putBranding(deps, getPrincipal(c), { wanted, versions: readIfMatch(c) })
        return respondWithEtag(c, printBranding(branding), branding.version)
      },
    },
  ]
}

function printBranding({ name, logo }: ReportBranding): BrandingBody {
  if (logo === undefined) return { name, logo: null }
  const { base64: png, ...size } = printLogo(logo)
  return { name, logo: { png, ...size } }
}
