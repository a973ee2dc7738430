import type { Rule } from '@tripline/model/rule'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '../limits.ts'
import type { RuleVersionStore } from '../ports/rule-store.ts'
import type { ChangingRuleStore } from '../ports/state-store.ts'
import { compareAndSet } from './query/compare-and-set.ts'
import { inTransaction } from './query/database.ts'
import type { RuleRow, Tables } from './rows/tables.ts'
import { requireIntact, takeIntact } from './query/row-checksums.ts'

/** Stores the rules of tenants: their texts, and the facts read from them. */
export function ruleStore(db: Kysely<Tables>): ChangingRuleStore {
  const rowsOf = (tenant: string) => db.selectFrom('rules').selectAll().where('tenantId', '=', tenant)
  const get = async (tenant: string, id: string) => {
    const row = requireIntact('rules', await rowsOf(tenant).where('id', '=', id).executeTakeFirst())
    return row === undefined ? undefined : parseRuleRow(row)
  }
  return {
    put: (tenant, rules) =>
      inTransaction(db, async (db) => {
        for (const rule of rules) {
          const row = rowOf(tenant, rule)
          const putting = db.insertInto('rules').values(row)
          await putting.onConflict((conflict) => conflict.columns(['tenantId', 'id']).doUpdateSet(row)).execute()
        }
      }),
    insert: (tenant, rules) =>
      inTransaction(db, async (db) => {
        let count = 0
        for (const rule of rules) {
          const inserting = db.insertInto('rules').values(rowOf(tenant, rule)).onConflict((conflict) => conflict.doNothing())
          count += Number((await inserting.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows)
        }
        return count
      }),
    get,
    async list(tenant) {
      return takeIntact('rules', await rowsOf(tenant).orderBy('id').execute()).map(parseRuleRow)
    },
    update: (tenant, id, change, terms) =>
      compareAndSet(terms, {
        read: () => get(tenant, id),
        next: (current) => ({ ...current, ...change, version: current.version + 1, updatedAt: terms.at }),
        write: async (next, { version }) => {
          const writing = db.updateTable('rules').set(rowOf(tenant, next)).where('tenantId', '=', tenant).where('id', '=', id)
          return (await writing.where('version', '=', version).executeTakeFirst()).numUpdatedRows === 1n
        },
      }),
    async remove(tenant, id) {
      const removing = db.deleteFrom('rules').where('tenantId', '=', tenant).where('id', '=', id)
      return (await removing.executeTakeFirst()).numDeletedRows === 1n
    },
  }
}

/** The facts of a rule's text, stored with it, so that a list need not parse thousands of texts. */
type Facts = Omit<Rule, 'id' | 'definition' | 'isEnabled' | 'lifecycle' | 'origin' | 'version' | 'createdAt' | 'updatedAt'>

function parseRuleRow({ id, definition, facts, isEnabled, lifecycle, origin, version, createdAt, updatedAt }: RuleRow): Rule {
  // JSON has no undefined: a fact that the text does not state is absent.
  const { date, modified, ...stated } = JSON.parse(facts) as Facts
  return { ...stated, date, modified, id, definition, isEnabled: isEnabled === 1, lifecycle, origin, version, createdAt, updatedAt }
}

function rowOf(tenantId: string, rule: Rule): RuleRow {
  const { id, definition, isEnabled, lifecycle, origin, version, createdAt, updatedAt, ...facts } = rule
  const columns = { id, definition, lifecycle, origin, version, createdAt, updatedAt }
  return { ...columns, tenantId, isEnabled: Number(isEnabled), facts: JSON.stringify(facts satisfies Facts) }
}

/** Reads the texts of rules under their versions. */
export function ruleVersionStore(db: Kysely<Tables>): RuleVersionStore {
  const rowsOf = (tenant: string, ruleId: string) =>
    db.selectFrom('ruleVersions').select(['version', 'savedAt', 'savedBy']).where('tenantId', '=', tenant).where('ruleId', '=', ruleId)
  return {
    get: (tenant, ruleId, version) => rowsOf(tenant, ruleId).select('definition').where('version', '=', version).executeTakeFirst(),
    async authors(tenant, versions) {
      if (versions.length === 0) return new Map()
      const values = sql.join(versions.map(({ id, version }) => sql`(${id}, ${version})`))
      // From the asked ones to the kept ones, so that other versions, with their long texts, are not read.
      const { rows } = await sql<{ readonly id: string; readonly author: string }>`
        with asked (id, version) as (values ${values})
        select asked.id as id, kept.saved_by as author from asked cross join rule_versions kept
        where kept.tenant_id = ${tenant} and kept.rule_id = asked.id and kept.version = asked.version
          and kept.saved_by is not null`.execute(db)
      return new Map(rows.map(({ id, author }) => [id, author]))
    },
    async list(tenant, ruleId) {
      // The texts stay in the database: a rule may have megabytes of them.
      const isChanged = sql<number>`definition is distinct from lag(definition) over (order by version)`.as('isTextChanged')
      const rows = await rowsOf(tenant, ruleId).select(isChanged).orderBy('version', 'desc').execute()
      return rows.map((row) => ({ ...row, isTextChanged: Boolean(row.isTextChanged) }))
    },
  }
}

/** Keeps the texts of saved rules under their versions, in the transaction of the change, and drops the oldest beyond the limit. */
export async function keepRuleVersions(db: Kysely<Tables>, tenantId: string, rules: readonly Rule[], by?: string): Promise<void> {
  const savedBy = by ?? null
  for (const { id: ruleId, version, definition, updatedAt: savedAt } of rules) {
    if (definition === '') continue
    const row = { tenantId, ruleId, version, definition, savedAt, savedBy }
    // A rule that was removed and created again starts with version 1.
    await db.insertInto('ruleVersions').values(row)
      .onConflict((conflict) => conflict.columns(['tenantId', 'ruleId', 'version']).doUpdateSet({ definition, savedAt, savedBy })).execute()
    const old = db.deleteFrom('ruleVersions').where('tenantId', '=', tenantId).where('ruleId', '=', ruleId)
    await old.where('version', '<=', version - limits.state.ruleVersionsMax).execute()
  }
}
