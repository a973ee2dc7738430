import type { Attestation } from '@tripline/compliance/assess'
import { isUnfinished } from '@tripline/model/compliance/evidence-job'
import type { EvidenceJob } from '@tripline/model/compliance/evidence-job'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import type { ComplianceStore, StoredAssessment } from '../../ports/compliance-store.ts'
import { compareAndSet } from '../query/compare-and-set.ts'
import { inTransaction } from '../query/database.ts'
import type { AttestationRow, ComplianceAssessmentRow, EvidenceJobRow } from '../rows/compliance-tables.ts'
import type { Tables } from '../rows/tables.ts'

/** Stores collections of evidence, their results, attestations and notes. */
export function complianceStore(db: Kysely<Tables>): ComplianceStore {
  const jobsOf = (tenant: TenantId) => db.selectFrom('evidenceJobs').selectAll().where('tenantId', '=', tenant)
  const newestJobs = (tenant: TenantId) => jobsOf(tenant).orderBy('requestedAt', 'desc').orderBy('id', 'desc')
  const resultsOf = (tenant: TenantId, framework: string) =>
    db.selectFrom('complianceAssessments').where('tenantId', '=', tenant).where('framework', '=', framework)
      .orderBy('at', 'desc').orderBy('jobId', 'desc')
  const notesOf = (tenant: TenantId, framework: string) =>
    db.selectFrom('controlNotes').select(['control', 'owner', 'note', 'version']).where('tenantId', '=', tenant)
      .where('framework', '=', framework)
  return {
    begin: (tenantId, job) => inTransaction(db, async (db) => {
      const [running] = await complianceStore(db).unfinishedJobs(tenantId)
      if (running !== undefined) return running
      await db.insertInto('evidenceJobs').values(toJobRow(tenantId, job)).execute()
      return 'begun'
    }),
    async getJob(tenant, id) {
      const row = await jobsOf(tenant).where('id', '=', id).executeTakeFirst()
      return row === undefined ? undefined : parseJob(row)
    },
    async saveJob(tenant, job) {
      const { tenantId: _tenant, id: _id, ...row } = toJobRow(tenant, job)
      const saving = db.updateTable('evidenceJobs').set(row).where('tenantId', '=', tenant).where('id', '=', job.id)
      return (await saving.executeTakeFirst()).numUpdatedRows === 1n
    },
    async unfinishedJobs(tenant) {
      const unfinished = jobsOf(tenant).where('isUnfinished', '=', 1).orderBy('requestedAt').orderBy('id')
      return (await unfinished.execute()).map(parseJob)
    },
    async lastJob(tenant, at) {
      const newest = newestJobs(tenant).limit(1)
      const row = await (at === undefined ? newest : newest.where('requestedAt', '<=', at)).executeTakeFirst()
      return row === undefined ? undefined : parseJob(row)
    },
    async saveAssessment(tenantId, { framework, jobId, controls, ...rest }) {
      const row = { ...rest, controls: JSON.stringify(controls) }
      await db.insertInto('complianceAssessments').values({ tenantId, framework, jobId, ...row })
        .onConflict((conflict) => conflict.columns(['tenantId', 'framework', 'jobId']).doUpdateSet(row)).execute()
    },
    async getAssessment(tenant, framework, at) {
      const newest = resultsOf(tenant, framework).selectAll().limit(1)
      const row = await (at === undefined ? newest : newest.where('at', '<=', at)).executeTakeFirst()
      return row === undefined ? undefined : parseAssessment(row)
    },
    listAssessments: async (tenant, framework, limit) =>
      await resultsOf(tenant, framework).select(['at', 'jobId', 'sha256']).limit(limit).execute(),
    async listAttestations(tenant, framework) {
      const rows = db.selectFrom('attestations').selectAll().where('tenantId', '=', tenant).where('framework', '=', framework)
      return (await rows.orderBy('control').execute()).map(parseAttestation)
    },
    async putAttestation(tenantId, framework, { control, by, proof, ...rest }) {
      const row = { ...rest, attestedBy: by, proof: JSON.stringify(proof) }
      await db.insertInto('attestations').values({ tenantId, framework, control, ...row })
        .onConflict((conflict) => conflict.columns(['tenantId', 'framework', 'control']).doUpdateSet(row)).execute()
    },
    async removeAttestation(tenant, framework, control) {
      const removing = db.deleteFrom('attestations').where('tenantId', '=', tenant).where('framework', '=', framework)
      return (await removing.where('control', '=', control).executeTakeFirst()).numDeletedRows === 1n
    },
    listNotes: async (tenant, framework) => await notesOf(tenant, framework).orderBy('control').execute(),
    updateNote: (tenantId, framework, { control, owner, note }, terms) => inTransaction(db, async (db) => {
      const store = complianceStore(db)
      return await compareAndSet(terms, {
        read: async () => (await store.listNotes(tenantId, framework)).find((one) => one.control === control)
          ?? { control, owner: '', note: '', version: 0 },
        next: (current) => {
          const changed = { ...current, owner: owner ?? current.owner, note: note ?? current.note }
          const isSame = changed.owner === current.owner && changed.note === current.note
          return isSame ? current : { ...changed, version: current.version + 1 }
        },
        write: async (next) => {
          const row = { owner: next.owner, note: next.note, version: next.version, updatedAt: terms.at }
          await db.insertInto('controlNotes').values({ tenantId, framework, control, ...row })
            .onConflict((conflict) => conflict.columns(['tenantId', 'framework', 'control']).doUpdateSet(row)).execute()
          return true
        },
      })
    }),
    removeOld: (tenant, which) => inTransaction(db, async (db) => await removeOld(db, tenant, which)),
  }
}

async function removeOld(
  db: Kysely<Tables>, tenant: TenantId, { before, limit }: { readonly before: number; readonly limit: number },
): Promise<number> {
  const results = await db.selectFrom('complianceAssessments').select(['framework', 'jobId']).where('tenantId', '=', tenant)
    .where('at', '<', before)
    .where((eb) => eb.exists(eb.selectFrom('complianceAssessments as later').select('later.jobId')
      .where('later.tenantId', '=', tenant)
      .whereRef('later.framework', '=', 'complianceAssessments.framework')
      .whereRef('later.at', '>', 'complianceAssessments.at')))
    .orderBy('at').limit(limit).execute()
  for (const { framework, jobId } of results) {
    await db.deleteFrom('complianceAssessments').where('tenantId', '=', tenant).where('framework', '=', framework)
      .where('jobId', '=', jobId).execute()
  }
  const newest = await db.selectFrom('evidenceJobs').select('id').where('tenantId', '=', tenant)
    .orderBy('requestedAt', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const jobs = await db.selectFrom('evidenceJobs').select('id').where('tenantId', '=', tenant).where('requestedAt', '<', before)
    .where('isUnfinished', '=', 0).where('id', '<>', newest?.id ?? '').orderBy('requestedAt').limit(limit).execute()
  const ids = jobs.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('evidenceJobs').where('tenantId', '=', tenant).where('id', 'in', ids).execute()
  return results.length + ids.length
}

function toJobRow(tenantId: TenantId, { from, to, frameworks, controls, result, finishedAt = 0, ...job }: EvidenceJob): EvidenceJobRow {
  return {
    ...job, tenantId, fromAt: from, toAt: to, finishedAt, isUnfinished: isUnfinished(job) ? 1 : 0,
    frameworks: JSON.stringify(frameworks), controls: JSON.stringify(controls), result: result === undefined ? '' : JSON.stringify(result),
  }
}

function parseJob({ tenantId: _tenant, isUnfinished: _flag, fromAt, toAt, finishedAt, result, ...row }: EvidenceJobRow): EvidenceJob {
  return {
    ...row, from: fromAt, to: toAt, finishedAt: finishedAt === 0 ? undefined : finishedAt,
    frameworks: JSON.parse(row.frameworks) as string[], controls: JSON.parse(row.controls) as string[],
    result: result === '' ? undefined : JSON.parse(result) as EvidenceJob['result'],
  }
}

function parseAssessment({ framework, jobId, at, sha256, controls }: ComplianceAssessmentRow): StoredAssessment {
  return { framework, jobId, at, sha256, controls: JSON.parse(controls) as StoredAssessment['controls'] }
}

function parseAttestation({ tenantId: _tenant, framework: _framework, attestedBy, proof, ...row }: AttestationRow): Attestation {
  return { ...row, by: attestedBy, proof: JSON.parse(proof) as Attestation['proof'] }
}
