import type { SubjectText } from '@tripline/model/compliance/erasure'
import type { TenantId } from '@tripline/model/tenant'
import type { Kysely } from 'kysely'
import { limits } from '../../limits.ts'
import type { Tables } from '../rows/tables.ts'

type RuleErasure = { readonly tenant: TenantId; readonly subject: SubjectText; readonly editRule: (definition: string) => string }

/**
 * Removes a person from what describes rules, such as the author, in all kept versions of their texts. What a version detected
 * stays, because alerts name the version that raised them. Returns how many versions were changed.
 */
export async function eraseRuleTexts(db: Kysely<Tables>, { tenant, subject, editRule }: RuleErasure): Promise<number> {
  let count = 0
  for (let after: Key = { ruleId: '', version: 0 }; ;) {
    const rows = await db.selectFrom('ruleVersions').select(['ruleId', 'version', 'definition']).where('tenantId', '=', tenant)
      .where((e) => e(e.refTuple('ruleId', 'version'), '>', e.tuple(after.ruleId, after.version)))
      .orderBy('ruleId').orderBy('version').limit(limits.erasure.ruleVersionsAtOnce).execute()
    const last = rows.at(-1)
    if (last === undefined) return count
    after = last
    for (const { ruleId, version, definition: before } of rows) {
      const definition = subject.isIn(before) ? editRule(before) : before
      if (definition === before) continue
      await db.updateTable('ruleVersions').set({ definition }).where('tenantId', '=', tenant).where('ruleId', '=', ruleId)
        .where('version', '=', version).execute()
      count++
    }
  }
}

type Key = { readonly ruleId: string; readonly version: number }
