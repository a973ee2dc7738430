import {
  attestationSchema, complianceCoverageSchema, controlListSchema, controlPatchSchema, controlSchema, evidenceJobSchema,
  evidenceRequestSchema, frameworkListSchema, newAttestationSchema,
} from '@tripline/contract/console/response/compliance'
import { complianceReportQuerySchema } from '@tripline/contract/console/response/report'
import type { TenantId } from '@tripline/model/tenant'
import {
  attestControl, collectEvidence, getControl, getEvidenceJob, getFramework, listControls, listFrameworks, noteControl,
  withdrawAttestation,
} from '../../compliance/compliance.ts'
import type { ComplianceDeps, ControlRef, ControlState } from '../../compliance/compliance.ts'
import type { MappedRules } from '../../compliance/map-rules.ts'
import { readIfMatch } from '../../http/etag.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respondWithEtag } from '../../http/respond-with-etag.ts'
import { respond, respondWithFile } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import { printComplianceReport } from '../../reports/reports.ts'
import type { ReportDeps } from '../../reports/reports.ts'
import {
  printAttestation, printControl, printControlRow, printFrameworkNumbers, printFramework, printInstant, printJob,
} from './compliance-view.ts'

export type ComplianceAreaDeps = ComplianceDeps & Pick<ReportDeps, 'printer'> & {
  /** Finds the running rules that watch what controls are about. */
  readonly mapRules: (tenant: TenantId) => Promise<MappedRules>
}

const path = '/v1/compliance'
const frameworkPath = `${path}/:framework`
const controlPath = `${frameworkPath}/controls/:id`
const access = 'attest_compliance'
/** What a job's version begins at: it changes with the status and with the progress. */
const steps = { queued: 0, running: 1_000, succeeded: 2_000, failed: 3_000 }

/** Routes for frameworks, controls, attestations and the collection of evidence. */
export function complianceRoutes(deps: ComplianceAreaDeps): Route[] {
  return [
    {
      method: 'GET', path: `${path}/frameworks`, access: 'read', summary: 'Lists the frameworks with their scores',
      responses: { 200: frameworkListSchema },
      handle: async (c) => respond(c, { frameworks: (await listFrameworks(deps, getPrincipal(c).tenant)).map(printFramework) }),
    },
    {
      method: 'GET', path: `${frameworkPath}/coverage`, access: 'read', summary: 'Returns how a framework stands in numbers',
      responses: { 200: complianceCoverageSchema },
      handle: async (c) => {
        const state = await getFramework(deps, getPrincipal(c).tenant, readIdParam(c, 'framework'))
        return respond(c, { framework: state.catalogue.token, ...printFrameworkNumbers(state) })
      },
    },
    {
      method: 'GET', path: `${frameworkPath}/controls`, access: 'read', summary: 'Lists the controls of a framework with their status',
      responses: { 200: controlListSchema },
      handle: async (c) => {
        const { tenant } = getPrincipal(c)
        const { framework, assessedAt, controls } = await listControls(deps, tenant, readIdParam(c, 'framework'))
        const mapped = await deps.mapRules(tenant)
        return respond(c, {
          framework, assessed_at: printInstant(assessedAt), controls: controls.map((control) => printControlRow(control, mapped)),
        })
      },
    },
    {
      method: 'GET', path: `${frameworkPath}/report`, access: 'export_own',
      summary: 'Returns the newest assessment of a framework as a file', query: complianceReportQuerySchema,
      headers: ['Content-Disposition', 'ETag'], errors: ['CONFLICT'],
      responseType: 'application/pdf', otherTypes: ['text/html', 'text/csv', 'application/json'], responses: { 200: null },
      handle: async (c) => {
        const { query: { lang: language = 'en', format = 'pdf', from, to } } = readQuery(c, complianceReportQuerySchema)
        const request = { framework: readIdParam(c, 'framework'), language, format, from, to }
        return respondWithFile(c, await printComplianceReport(deps, getPrincipal(c), request))
      },
    },
    {
      method: 'GET', path: controlPath, access: 'read', summary: 'Returns a control with its signals and evidence',
      headers: ['ETag'], responses: { 200: controlSchema },
      handle: async (c) => respondWithControl(deps, c, await getControl(deps, getPrincipal(c).tenant, ...readRef(c))),
    },
    {
      method: 'PATCH', path: controlPath, access, summary: 'Changes owner or note of a control', body: controlPatchSchema,
      checksVersion: true, headers: ['ETag'], responses: { 200: controlSchema },
      handle: async (c) => {
        const change = { patch: await readJson(c, controlPatchSchema), versions: readIfMatch(c) }
        return respondWithControl(deps, c, await noteControl(deps, getPrincipal(c), toRef(c), change))
      },
    },
    {
      method: 'POST', path: `${controlPath}/attestation`, access, summary: 'Attests to a control until a date, with a proof',
      body: newAttestationSchema, isIdempotent: true, errors: ['INVALID_PARAMETER'], responses: { 201: attestationSchema },
      handle: async (c) => {
        const { expires_at, ...stated } = await readJson(c, newAttestationSchema)
        const attestation = await attestControl(deps, getPrincipal(c), toRef(c), { ...stated, expiresAt: Date.parse(expires_at) })
        return respond(c, printAttestation(attestation), 201)
      },
    },
    {
      method: 'DELETE', path: `${controlPath}/attestation`, access, summary: 'Withdraws the attestation of a control',
      responses: { 204: null },
      handle: async (c) => {
        await withdrawAttestation(deps, getPrincipal(c), toRef(c))
        return c.body(null, 204)
      },
    },
    {
      method: 'POST', path: `${path}/evidence/collect`, access: 'collect_evidence', isIdempotent: true,
      summary: 'Begins to collect evidence and to assess frameworks', body: evidenceRequestSchema, isBodyOptional: true,
      headers: ['Location'], errors: ['CONFLICT', 'INVALID_PARAMETER'], responses: { 202: evidenceJobSchema },
      handle: async (c) => {
        const { from, to, ...which } = await readJson(c, evidenceRequestSchema)
        const range = { ...(from !== undefined && { from: Date.parse(from) }), ...(to !== undefined && { to: Date.parse(to) }) }
        const job = printJob(await collectEvidence(deps, getPrincipal(c), { ...which, ...range }))
        c.header('Location', job.status_url)
        return respond(c, job, 202)
      },
    },
    {
      method: 'GET', path: `${path}/evidence/jobs/:id`, access: 'read', summary: 'Returns a collection of evidence',
      headers: ['ETag'], responses: { 200: evidenceJobSchema },
      handle: async (c) => {
        const job = await getEvidenceJob(deps, getPrincipal(c).tenant, readIdParam(c))
        return respondWithEtag(c, printJob(job), steps[job.status] + job.progress)
      },
    },
  ]
}

async function respondWithControl(deps: ComplianceAreaDeps, c: RequestContext, control: ControlState): Promise<Response> {
  const mapped = await deps.mapRules(getPrincipal(c).tenant)
  return respondWithEtag(c, printControl(control, mapped), control.note.version)
}

function readRef(c: RequestContext): [token: string, id: string] {
  return [readIdParam(c, 'framework'), readIdParam(c)]
}

function toRef(c: RequestContext): ControlRef {
  const [token, id] = readRef(c)
  return { token, id }
}
