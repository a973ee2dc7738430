import type { KeptDefinition, SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import type { Tables } from '../rows/tables.ts'

type DefinitionTable = { readonly table: string; readonly columns: readonly string[]; readonly tenantColumn?: string }

/** The columns of definitions, by what each row is. */
const definitionTables: { readonly [type in KeptDefinition['type']]: DefinitionTable } = {
  rule: { table: 'rules', columns: ['definition', 'facts'] },
  playbook: { table: 'playbooks', columns: ['subject', 'filter', 'steps'] },
  channel: { table: 'channels', columns: ['settings'] },
  channel_route: { table: 'channel_routes', columns: ['filter'] },
  webhook: { table: 'webhooks', columns: ['url'] },
  connector: { table: 'connectors', columns: ['config'] },
  settings: { table: 'tenants', columns: ['name', 'settings'], tenantColumn: 'id' },
  group: { table: 'provisioned_groups', columns: ['display_name'] },
}

/** Lists the first definitions of a tenant that name a person. */
export async function listKeptDefinitions(db: Kysely<Tables>, tenant: TenantId, subject: SubjectText): Promise<KeptDefinition[]> {
  const kept: KeptDefinition[] = []
  for (const [type, definitions] of Object.entries(definitionTables) as [KeptDefinition['type'], DefinitionTable][]) {
    for await (const { id, texts } of readTexts(db, tenant, definitions)) {
      if (!texts.some((text) => subject.isIn(text))) continue
      if (kept.push({ type, id }) === limits.erasure.keptListedMax) return kept
    }
  }
  return kept
}

async function* readTexts(
  db: Kysely<Tables>, tenant: TenantId, { table, columns, tenantColumn = 'tenant_id' }: DefinitionTable,
): AsyncGenerator<{ readonly id: string; readonly texts: readonly string[] }> {
  for (let after = -1; ;) {
    const selected = columns.map((name, i) => sql`${sql.ref(name)} as ${sql.ref(`c${i}`)}`)
    const { rows } = await sql<{ readonly rowid: number; readonly id: string; readonly [column: string]: unknown }>`
      select rowid as rowid, id, ${sql.join(selected)} from ${sql.table(table)}
      where ${sql.ref(tenantColumn)} = ${tenant} and rowid > ${after} order by rowid limit ${limits.erasure.rowsAtOnce}`.execute(db)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.rowid
    for (const row of rows) {
      yield { id: row.id, texts: columns.map((_, i) => row[`c${i}`]).filter((text): text is string => typeof text === 'string') }
    }
    await yieldToOthers()
  }
}
