import { playbookRunFields } from '@tripline/model/lists/list-fields'
import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import { sql } from 'kysely'
import { parseRunRow } from '../rows/playbook-row.ts'
import type { PlaybookRunRow } from '../rows/playbook-tables.ts'
import type { SqlList } from './list-page.ts'

const columns = {
  playbook_id: 'playbookId', status: 'status', subject_id: 'subjectId', requested_by: 'requestedBy', created_at: 'createdAt',
} as const satisfies { readonly [field in keyof typeof playbookRunFields]: keyof PlaybookRunRow }

/** The runs of a tenant's playbooks. */
export const playbookRunList: SqlList<PlaybookRunRow, PlaybookRun> = {
  entries: 'playbook runs', fields: playbookRunFields, columns, texts: ['playbookName', 'subjectId', 'requestedBy'],
  from: sql`playbook_runs`, select: sql`*`, tenant: 'tenantId', id: 'id',
  parse: parseRunRow,
}
