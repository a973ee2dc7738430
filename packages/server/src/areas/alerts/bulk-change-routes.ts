import { alertBulkResultSchema, alertBulkSchema, alertUndoResultSchema } from '@tripline/contract/console/alerts/alert-bulk'
import type { AlertBulkResultBody } from '@tripline/contract/console/alerts/alert-bulk'
import type { z } from 'zod'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { readJson } from '../../http/json-body.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { Route } from '../../http/route.ts'
import { readAlertSelection } from './alert-selection.ts'
import type { AlertSelection } from './alert-selection.ts'
import { toAlertUpdate } from './alert-view.ts'
import type { AlertDeps } from './alerts.ts'
import { changeAlerts, undoBulkChange } from './bulk-change.ts'
import type { BulkCounts, BulkResult } from './bulk-change.ts'

const path = '/v1/alerts/bulk'
const access = 'update_alerts'

/** Routes for changes of many alerts at once, and for taking them back. */
export function bulkChangeRoutes(deps: AlertDeps): Route[] {
  return [
    {
      method: 'POST', path, access, isIdempotent: true, summary: 'Updates many alerts, or tells what an update would change',
      body: alertBulkSchema, errors: ['CONFLICT', 'INVALID_PARAMETER', 'INVALID_QUERY_FIELD'], responses: { 200: alertBulkResultSchema },
      handle: async (c) => {
        const { ids, filter = {}, expect_total: expectTotal, set, only_status: onlyStatus, dry_run: isDryRun } =
          await readJson(c, alertBulkSchema)
        const alerts = ids === undefined ? { selection: toSelection(filter) } : { ids }
        const done = await changeAlerts(deps, getPrincipal(c), {
          alerts, expectTotal, update: toAlertUpdate(set), onlyStatus, isDryRun,
        })
        return respond(c, printResult(done, isDryRun))
      },
    },
    {
      method: 'POST', path: `${path}/:id/undo`, access, summary: 'Takes an update of many alerts back, within ten minutes',
      errors: ['NOT_FOUND'], responses: { 200: alertUndoResultSchema },
      handle: async (c) => respond(c, printCounts(await undoBulkChange(deps, getPrincipal(c), readIdParam(c)))),
    },
  ]
}

function toSelection({ from, to, filters, ...rest }: NonNullable<z.output<typeof alertBulkSchema>['filter']>): AlertSelection {
  const selection = readAlertSelection({ ...rest, filters: filters === undefined ? undefined : JSON.stringify(filters) })
  return {
    ...selection,
    where: [
      ...selection.where,
      ...(from === undefined ? [] : [{ field: 'created_at', operator: 'gte', value: from } as const]),
      ...(to === undefined ? [] : [{ field: 'created_at', operator: 'lt', value: to } as const]),
    ],
  }
}

function printResult({ undo, kept, ruleCount, ...counts }: BulkResult, isDryRun: boolean): AlertBulkResultBody {
  return {
    ...printCounts(counts), kept, rules: ruleCount, dry_run: isDryRun,
    undo: undo === undefined ? null : { id: undo.id, expires_at: formatTimestamp(undo.expiresAt) },
  }
}

function printCounts({ matched, changed, unchanged, failed }: BulkCounts): z.output<typeof alertUndoResultSchema> {
  return { matched, changed, unchanged, failed: failed.map(({ id, code }) => ({ id, code })) }
}
