import { alertContextQuerySchema, alertContextSchema } from '@tripline/contract/console/alerts/alert-context'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import type { SurroundingsBody } from '@tripline/contract/console/event'
import type { Principal } from '@tripline/model/access/principal'
import { toAlertStatusWord } from '@tripline/model/alert-status'
import { consoleLevels } from '@tripline/model/level'
import { StoreError } from '@tripline/state/ports/store-error'
import { formatTimestamp } from '../../http/format-timestamp.ts'
import { readIdParam } from '../../http/id-param.ts'
import { respond } from '../../http/respond.ts'
import { getPrincipal } from '../../http/route.ts'
import type { RequestContext, Route } from '../../http/route.ts'
import { readQuery } from '../../http/validate.ts'
import {
  describeAlertRule, describeEntities, explainAlert, findFirstEvent, listSimilarAlerts, requireAlert,
} from './alert-context.ts'
import { listAlertHistory } from './alert-history.ts'
import type { AlertContextDeps, AlertEntities, AlertExplanation, AlertRule } from './alert-context.ts'

/** Reads the events around an event on its host, for a request that began then. @throws StoreError NOT_FOUND. */
type SurroundingsReader = (caller: Principal, eventId: string, startedMs: number) => Promise<SurroundingsBody>

/** Route that tells why an alert came, and what is known of what it is about. */
export function alertContextRoutes(deps: AlertContextDeps, readAround: SurroundingsReader): Route[] {
  return [{
    method: 'GET', path: '/v1/alerts/:id/context', access: 'read', summary: 'Explains an alert, with its entities and similar alerts',
    query: alertContextQuerySchema, responses: { 200: alertContextSchema }, handle: (c) => handleContext(deps, readAround, c),
  }]
}

async function handleContext(deps: AlertContextDeps, readAround: SurroundingsReader, c: RequestContext): Promise<Response> {
  const caller = getPrincipal(c)
  const { query: { include = ['explain', 'entities', 'similar', 'rule'] } } = readQuery(c, alertContextQuerySchema)
  const alert = await requireAlert(deps, caller.tenant, readIdParam(c))
  const wanted = new Set(include)
  const eventId = wanted.has('around') ? await findFirstEvent(deps, caller.tenant, alert) : undefined
  const body: AlertContextBody = {
    alert_id: alert.id,
    ...(wanted.has('rule') && { rule: printRule(await describeAlertRule(deps, caller.tenant, alert)) }),
    ...(wanted.has('explain') && { explain: printExplanation(await explainAlert(deps, caller.tenant, alert)) }),
    ...(wanted.has('entities') && { entities: printEntities(await describeEntities(deps, caller, alert)) }),
    ...(wanted.has('similar') && { similar: (await listSimilarAlerts(deps, caller.tenant, alert)).map(printSimilar) }),
    ...(wanted.has('history') && { history: [...await listAlertHistory(deps.state, caller.tenant, alert)] }),
    ...(wanted.has('around') && { around: eventId === undefined ? null : await readKeptAround(readAround, c, eventId) }),
  }
  return respond(c, body)
}

/** Null for an event that retention has removed. */
async function readKeptAround(readAround: SurroundingsReader, c: RequestContext, eventId: string): Promise<SurroundingsBody | null> {
  try {
    return await readAround(getPrincipal(c), eventId, c.get('startedMs'))
  } catch (error) {
    if (error instanceof StoreError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function printRule(
  { id, version, definition, current, alertsLastDay }: AlertRule & { readonly alertsLastDay: number },
): AlertContextBody['rule'] {
  return {
    id, version: version ?? null, current_version: current?.version ?? null, definition: definition ?? null,
    description: current?.description ?? '', false_positives: [...current?.falsePositives ?? []],
    references: [...current?.references ?? []], alerts_last_24h: alertsLastDay,
  }
}

function printExplanation({ eventId, isByRuleAsItWas, outcome }: AlertExplanation): AlertContextBody['explain'] {
  const result = 'result' in outcome ? { ...outcome.result, matched_conditions: [...outcome.result.matched_conditions] } : null
  return {
    event_id: eventId ?? null, rule_as_it_was: isByRuleAsItWas, result, problem: 'problem' in outcome ? outcome.problem : null,
  }
}

function printEntities({ host, user }: AlertEntities): AlertContextBody['entities'] {
  const printFigures = ({ openAlerts, verdicts }: { openAlerts: number; verdicts: NonNullable<AlertEntities['host']>['verdicts'] }) =>
    ({ open_alerts: openAlerts, verdicts: { ...verdicts } })
  return {
    host: host === undefined ? null : {
      name: host.name, asset_id: host.record?.id ?? null, criticality: host.record?.criticality ?? 'unknown', os: host.record?.os ?? '',
      owner: host.record?.owner ?? '', ...printFigures(host),
    },
    user: user === undefined ? null : {
      name: user.name, identity_id: user.record?.id ?? null, department: user.record?.department ?? '',
      is_privileged: user.record?.isPrivileged ?? false, ...printFigures(user),
    },
  }
}

function printSimilar(
  { id, level, status, verdict, host, user, createdAt }: Awaited<ReturnType<typeof listSimilarAlerts>>[number],
): NonNullable<AlertContextBody['similar']>[number] {
  const words = { severity: consoleLevels[level], status: toAlertStatusWord(status), verdict }
  return { id, ...words, host, user, created_at: formatTimestamp(createdAt) }
}
