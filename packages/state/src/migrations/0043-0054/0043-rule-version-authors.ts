import type { Migration } from '../migrate.ts'

/** Who saved each version of a rule; unknown of the versions before. */
export const ruleVersionAuthors: Migration = {
  name: 'authors of rule versions',
  statements: ['alter table rule_versions add column saved_by text'],
}
