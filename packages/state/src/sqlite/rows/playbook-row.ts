import type { PlaybookRun } from '@tripline/model/playbooks/playbook'
import type { PlaybookRunRow } from './playbook-tables.ts'

/** Parses the row of a run; the server wrote its lists. */
export function parseRunRow({ tenantId: _tenant, onceKey: _key, steps, records, finishedAt, ...run }: PlaybookRunRow): PlaybookRun {
  return {
    ...run, steps: JSON.parse(steps) as PlaybookRun['steps'], records: JSON.parse(records) as PlaybookRun['records'],
    finishedAt: finishedAt === 0 ? undefined : finishedAt,
  }
}
