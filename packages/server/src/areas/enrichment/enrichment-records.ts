import type { Clock, Runtime } from '@tripline/common/runtime'
import { AppError } from '@tripline/contract/app-error'
import type { Principal } from '@tripline/model/access/principal'
import { createUuidV7 } from '@tripline/model/ids'
import type { TenantId } from '@tripline/model/tenant'
import type { EnrichmentStore, UpsertOutcome } from '@tripline/state/ports/enrichment/enrichment-store'
import type { StateStore, Stores } from '@tripline/state/ports/state-store'
import { unwrapChange, checkVersion, requireFound, notFound } from '@tripline/state/ports/version-conflict'
import type { ExpectedVersions } from '@tripline/state/ports/version-conflict'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { CursorDeps } from '../../http/lists/cursor.ts'
import { readListPage } from '../../http/lists/list-page.ts'
import type { ListPage, ListRequest } from '../../http/lists/list-page.ts'
import { recordAudit } from '../../audit/record-audit.ts'

/** A kind of record that tenants maintain to enrich alerts: assets, identities, indicators. */
export type EnrichmentKind<Entry, New, Change> = {
  /** Its name in the audit trail and in messages. */
  readonly name: string
  readonly getStore: (stores: Stores) => EnrichmentStore<Entry, New, Change>
}

/** A row of an imported file: a record, or why the row is invalid. */
type ImportRow<New> = { readonly line: number; readonly facts: New } | { readonly line: number; readonly problem: string }

/** The result of an import, with the first invalid rows. */
export type ImportReport = { readonly [outcome in UpsertOutcome]: number } & {
  readonly rowCount: number
  readonly rejectedCount: number
  readonly problems: readonly { readonly line: number; readonly problem: string }[]
}

/** What records for enrichment need of the server. */
export type EnrichmentRecordDeps = {
  readonly state: StateStore
  /** Forgets what it looked up of a tenant. */
  readonly enricher: { readonly invalidate: (tenant: TenantId) => void }
  readonly clock: Clock
  readonly randomBytes: Runtime['randomBytes']
}

/** Lists the records of a kind, page by page. */
export async function listRecords<Entry, New, Change>(
  deps: EnrichmentRecordDeps & CursorDeps, kind: EnrichmentKind<Entry, New, Change>, tenant: TenantId, request: ListRequest,
): Promise<ListPage<Entry>> {
  return await readListPage(deps, { tenant, endpoint: kind.name }, request, kind.getStore(deps.state))
}

/** @throws AppError NOT_FOUND. */
export async function getRecord<Entry, New, Change>(
  { state }: EnrichmentRecordDeps,
  kind: EnrichmentKind<Entry, New, Change>,
  tenant: TenantId,
  id: string,
): Promise<Entry> {
  return requireFound(await kind.getStore(state).get(tenant, id), kind.name)
}

/**
 * Changes a record and returns it. A request that changes nothing is neither recorded nor counted as a version.
 *
 * @throws AppError NOT_FOUND, PRECONDITION_FAILED, CONFLICT, INVALID_BODY.
 */
export async function changeRecord<Entry extends { readonly version: number }, New, Change extends object>(
  deps: EnrichmentRecordDeps,
  kind: EnrichmentKind<Entry, New, Change>,
  caller: Principal,
  { id, change, versions }: { readonly id: string; readonly change: Change; readonly versions: ExpectedVersions },
): Promise<Entry> {
  const at = deps.clock.now()
  await deps.state.transaction(async (stores) => {
    const store = kind.getStore(stores)
    const before = requireFound(await store.get(caller.tenant, id), kind.name)
    checkVersion(before, versions, kind.name)
    const fields = findChangedFields(before, change)
    if (fields.length === 0) return
    const outcome = await store.update(caller.tenant, id, change, { expectedVersion: before.version, at })
    if (outcome.outcome === 'taken') throw new AppError('CONFLICT', `another ${kind.name} already has this name`)
    if (outcome.outcome === 'keyless') throw new AppError('INVALID_BODY', `the ${kind.name} must have a name or an address`)
    unwrapChange(outcome, kind.name)
    const diff = { fields: fields.map(printFieldName) }
    await recordAudit(stores, caller, { at, action: `${kind.name}.update`, target: { type: kind.name, id }, diff })
  })
  deps.enricher.invalidate(caller.tenant)
  return await getRecord(deps, kind, caller.tenant, id)
}

/** The names of fields to which a change gives another value. */
function findChangedFields(before: object, change: object): readonly string[] {
  const changed = Object.entries(change).filter(([name, value]: [string, unknown]) => {
    return value !== undefined && JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(value)
  })
  return changed.map(([name]) => name)
}

/** A field as the API calls it, such as `risk_score`. */
function printFieldName(name: string): string {
  return name === 'lastSeenAt' ? 'last_seen' : name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** @throws AppError NOT_FOUND. */
export async function removeRecord<Entry, New, Change>(
  deps: EnrichmentRecordDeps,
  kind: EnrichmentKind<Entry, New, Change>,
  caller: Principal,
  id: string,
): Promise<void> {
  await deps.state.transaction(async (stores) => {
    if (!(await kind.getStore(stores).remove(caller.tenant, id))) throw notFound(kind.name)
    await recordAudit(stores, caller, { at: deps.clock.now(), action: `${kind.name}.delete`, target: { type: kind.name, id } })
  })
  deps.enricher.invalidate(caller.tenant)
}

/**
 * Imports the rows of a file: valid ones are stored, the others reported by line. Each transaction stores a batch of rows
 * with one audit entry; an interrupted import keeps whole batches, and importing the same file again adds the missing rows
 * only.
 */
export async function importRecords<Entry, New, Change>(
  deps: EnrichmentRecordDeps,
  kind: EnrichmentKind<Entry, New, Change>,
  caller: Principal,
  rows: AsyncIterable<ImportRow<New>>,
): Promise<ImportReport> {
  const { transactionRowsMax, errorsListedMax } = limits.imports
  const counts = { created: 0, changed: 0, unchanged: 0, rejectedCount: 0 }
  const problems: { line: number; problem: string }[] = []
  const newId = createIdGenerator(deps)
  let waiting: { line: number; facts: New }[] = []

  const keep = async (): Promise<void> => {
    const [first, last] = [waiting[0], waiting.at(-1)]
    if (first === undefined || last === undefined) return
    const stated = waiting.map(({ facts }) => ({ id: newId(), facts }))
    const at = deps.clock.now()
    const kept = { created: 0, changed: 0, unchanged: 0 }
    await deps.state.transaction(async (stores) => {
      for (const outcome of await kind.getStore(stores).upsert(caller.tenant, stated, at)) kept[outcome]++
      const target = { type: kind.name, id: `lines ${first.line} to ${last.line}` }
      await recordAudit(stores, caller, { at, action: `${kind.name}.import`, target, diff: kept })
    })
    deps.enricher.invalidate(caller.tenant)
    for (const outcome of ['created', 'changed', 'unchanged'] as const) counts[outcome] += kept[outcome]
    waiting = []
    await othersFirst()
  }

  for await (const row of rows) {
    if ('problem' in row) {
      counts.rejectedCount++
      if (problems.length < errorsListedMax) problems.push(row)
      continue
    }
    waiting.push(row)
    if (waiting.length === transactionRowsMax) await keep()
  }
  await keep()
  const { created, changed, unchanged, rejectedCount } = counts
  return { created, changed, unchanged, rejectedCount, rowCount: created + changed + unchanged + rejectedCount, problems }
}

/** Creates unique ids: a counter within an import, six random bytes between imports. */
function createIdGenerator({ clock, randomBytes }: EnrichmentRecordDeps): () => string {
  const random = Buffer.alloc(10)
  random.set(randomBytes(6))
  let count = 0
  return () => {
    random.writeUInt32BE(count++, 6)
    return createUuidV7(clock.now(), () => random)
  }
}
