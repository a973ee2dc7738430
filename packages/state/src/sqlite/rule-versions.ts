import type { Rule } from '@tripline/model/rule'
import type { Kysely } from 'kysely'
import { limits } from '../limits.ts'
import type { RuleVersionStore } from '../ports/rule-version-store.ts'
import type { Tables } from './rows/tables.ts'

export function ruleVersionStore(db: Kysely<Tables>): RuleVersionStore {
  return {
    get: (tenant, ruleId, version) => {
      const rows = db.selectFrom('ruleVersions').select(['version', 'definition', 'savedAt']).where('tenantId', '=', tenant)
      return rows.where('ruleId', '=', ruleId).where('version', '=', version).executeTakeFirst()
    },
  }
}

/** Keeps the texts of saved rules under their versions, in the transaction of the change, and drops the oldest beyond the limit. */
export async function keepRuleVersions(db: Kysely<Tables>, tenantId: string, rules: readonly Rule[]): Promise<void> {
  for (const { id: ruleId, version, definition, updatedAt: savedAt } of rules) {
    if (definition === '') continue
    const row = { tenantId, ruleId, version, definition, savedAt }
    // A rule that was removed and created again starts with version 1.
    await db.insertInto('ruleVersions').values(row)
      .onConflict((conflict) => conflict.columns(['tenantId', 'ruleId', 'version']).doUpdateSet({ definition, savedAt })).execute()
    const old = db.deleteFrom('ruleVersions').where('tenantId', '=', tenantId).where('ruleId', '=', ruleId)
    await old.where('version', '<=', version - limits.state.ruleVersionsMax).execute()
  }
}
