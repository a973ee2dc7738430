import { catalogues } from '@tripline/compliance/catalogues/catalogues'
import type { ExportRow } from '@tripline/contract/public/export'
import type { ListFields } from '@tripline/model/lists/list-fields'
import type { TenantId } from '@tripline/model/tenant'
import type { TenantList } from '@tripline/state/ports/list-query'
import { createMemoryList } from '@tripline/state/ports/memory-list'
import type { StateStore } from '@tripline/state/ports/state-store'
import { countEvidence } from '../../compliance/count-evidence.ts'

type ControlRow = ExportRow<'compliance-controls'>

/** Fields of the controls of all frameworks. */
export const controlFields = {
  framework: { kind: 'text', isSorted: true, isFiltered: true },
  last_evidence_at: { kind: 'instant', isFiltered: true },
} as const satisfies ListFields

/** The controls of all frameworks by their newest assessment; one that was not assessed is there, too. */
export function createControlList(state: StateStore): TenantList<ControlRow> {
  return createMemoryList((tenant) => readControls(state, tenant), {
    fields: controlFields, getId: ({ framework, id }) => `${framework}/${id}`, getTexts: ({ id, title }) => [id, title],
    read: ({ framework, last_evidence_at: at }, field) => (field === 'framework' ? framework : at ?? 0),
  })
}

async function readControls({ compliance }: StateStore, tenant: TenantId): Promise<ControlRow[]> {
  const rows = await Promise.all(catalogues.map(async ({ token: framework, controls }) => {
    const results = new Map((await compliance.getAssessment(tenant, framework))?.controls.map((result) => [result.control, result]))
    const attestations = new Map((await compliance.listAttestations(tenant, framework)).map((one) => [one.control, one]))
    return controls.map(({ id, title }): ControlRow => {
      const { status = 'not_assessed', method = 'none', signals = [] } = results.get(id) ?? {}
      const { count, lastAt = null } = countEvidence({ method, signals }, attestations.get(id))
      return { framework, id, title: title.en, status, method, evidence_count: count, last_evidence_at: lastAt }
    })
  }))
  return rows.flat()
}
