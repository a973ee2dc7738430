import {
  complianceReportParameters, publicControl, publicControlDetail, publicCoverage, publicEvidenceJob, publicEvidenceRequest, publicFramework,
} from '@tripline/contract/public/compliance'
import { collectEvidence, getControl, getEvidenceJob, getFramework, listControls, listFrameworks } from '../../compliance/compliance.ts'
import { respondWithFile } from '../../http/respond.ts'
import type { ResponseFile } from '../../http/respond.ts'
import { one, publicRoute, whole } from '../../http/public/public-route.ts'
import type { PublicRoute } from '../../http/public/public-route.ts'
import { printComplianceReport } from '../../reports/reports.ts'
import type { ComplianceAreaDeps } from './compliance-routes.ts'
import { toPublicControl, toPublicControlDetail, toPublicCoverage, toPublicFramework, toPublicJob } from './compliance-view.ts'

const path = '/compliance'
const reading = { resource: 'compliance', permission: 'read' } as const

/** Compliance in the public API. */
export function publicComplianceRoutes(deps: ComplianceAreaDeps): PublicRoute[] {
  return [
    publicRoute({
      ...reading, method: 'GET', path: `${path}/frameworks`, summary: 'Lists the frameworks with their scores',
      response: whole(publicFramework),
      handle: async ({ caller: { tenant } }) => ({ body: (await listFrameworks(deps, tenant)).map(toPublicFramework) }),
    }),
    publicRoute({
      ...reading, method: 'GET', path: `${path}/:framework/coverage`, summary: 'Returns how a framework stands in numbers',
      response: one(publicCoverage),
      async handle({ caller: { tenant }, getParam }) {
        return { body: toPublicCoverage(await getFramework(deps, tenant, getParam('framework'))) }
      },
    }),
    publicRoute({
      ...reading, method: 'GET', path: `${path}/:framework/controls`, summary: 'Lists the controls of a framework with their status',
      response: whole(publicControl),
      async handle({ caller: { tenant }, getParam }) {
        const { controls } = await listControls(deps, tenant, getParam('framework'))
        const mapped = await deps.mapRules(tenant)
        return { body: controls.map((control) => toPublicControl(control, mapped)) }
      },
    }),
    publicRoute({
      ...reading, method: 'GET', path: `${path}/:framework/controls/:id`, summary: 'Returns a control with its signals and evidence',
      response: one(publicControlDetail),
      async handle({ caller: { tenant }, getParam, id }) {
        const control = await getControl(deps, tenant, getParam('framework'), id)
        return { body: toPublicControlDetail(control, await deps.mapRules(tenant)) }
      },
    }),
    publicRoute({
      resource: 'compliance', permission: 'export_own', method: 'GET', path: `${path}/:framework/report`, hasVersion: true,
      summary: 'Returns the newest assessment of a framework as a file', parameters: complianceReportParameters,
      optionalHeaders: ['Content-Disposition'], errors: ['CONFLICT'],
      response: {
        status: 200, mediaType: 'application/pdf', otherTypes: ['text/html', 'text/csv', 'application/json'], toSchema: () => null,
        render: (_profile, file: ResponseFile) => file, send: async (c, _profile, file) => respondWithFile(c, file),
      },
      async handle({ caller, getParam, query: { from, to, lang: language = 'en', format = 'pdf' } }) {
        return { body: await printComplianceReport(deps, caller, { framework: getParam('framework'), language, format, from, to }) }
      },
    }),
    publicRoute({
      resource: 'compliance', permission: 'collect_evidence', method: 'POST', path: `${path}/evidence/collect`, isIdempotent: true,
      summary: 'Begins to collect evidence and to assess frameworks', body: publicEvidenceRequest, response: one(publicEvidenceJob, 202),
      errors: ['CONFLICT'],
      handle: async ({ caller, body }) => ({ body: toPublicJob(await collectEvidence(deps, caller, body)) }),
    }),
    publicRoute({
      ...reading, method: 'GET', path: `${path}/evidence/jobs/:id`, summary: 'Returns a collection of evidence',
      response: one(publicEvidenceJob),
      handle: async ({ caller: { tenant }, id }) => ({ body: toPublicJob(await getEvidenceJob(deps, tenant, id)) }),
    }),
  ]
}
