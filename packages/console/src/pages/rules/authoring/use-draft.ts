import type { AlertDetailBody } from '@tripline/contract/console/alert'
import type { AlertContextBody } from '@tripline/contract/console/alerts/alert-context'
import { useEffect, useState } from 'react'
import { ApiError, getErrorText } from '../../../api/api-error.ts'
import { callApi } from '../../../api/client.ts'
import { t } from '../../../i18n/translate.ts'
import type { DraftRequest } from '../../../workbench/messages.ts'
import { RuleEngine } from '../../../workbench/rule-engine.ts'
import { printTestEvent, readEventDetail, readFoundEvents } from './authoring-queries.ts'
import { chooseLogsource, describeAlert } from './describe-alert.ts'

/** What a new rule begins with. */
export type Draft = {
  /** Undefined where Sigma cannot express it; `problem` has the reason. */
  readonly text: string | undefined
  readonly problem: string | undefined
  /** Events to test with. */
  readonly events: string
}

type Beginning = { readonly request: DraftRequest; readonly events: string }

/** The rule that finds what a query finds, or what an alert is about; undefined until it is drafted, and where neither is given. */
export function useDraft(query: string | undefined, alert: string | undefined): Draft | undefined {
  const [draft, setDraft] = useState<Draft>()
  useEffect(() => {
    setDraft(undefined)
    if (query === undefined && alert === undefined) return undefined
    const engine = new RuleEngine()
    const leaving = new AbortController()
    const read = async (): Promise<void> => {
      const { signal } = leaving
      const { request, events } = query === undefined ? await beginFromAlert(alert ?? '', signal) : await beginFromQuery(query, signal)
      const drafted = await engine.run({ kind: 'draft', request })
      if ('yaml' in drafted) setDraft({ text: drafted.yaml, problem: undefined, events })
      else setDraft({ text: undefined, problem: t('rule.notDrafted', { problem: drafted.unsaid.join(', ') }), events })
    }
    read().catch((error: unknown) => {
      if (leaving.signal.aborted) return
      setDraft({ text: undefined, problem: t('rule.notDrafted', { problem: getErrorText(error) }), events: '' })
    })
    return () => {
      leaving.abort()
      engine.close()
    }
  }, [query, alert])
  return draft
}

async function beginFromQuery(query: string, signal: AbortSignal): Promise<Beginning> {
  // Without them the rule is written all the same: the backtest tells what it finds.
  const { events, logsource } = await readFoundEvents(query, signal).catch(() => ({ events: '', logsource: chooseLogsource([]) }))
  return { request: { finds: query, head: { title: t('rule.fromSearch'), logsource } }, events }
}

async function beginFromAlert(id: string, signal: AbortSignal): Promise<Beginning> {
  const path = `/v1/alerts/${encodeURIComponent(id)}`
  const [alert, { explain }] = await Promise.all([
    callApi<AlertDetailBody>(path, { signal }),
    callApi<AlertContextBody>(`${path}/context`, { query: { include: 'explain' }, signal }),
  ])
  const [first] = alert.evidence
  const eventId = explain?.event_id ?? first?.event_id ?? undefined
  const event = eventId === undefined ? undefined : await readEventDetail(eventId, signal).catch(forgetMissing)
  const fields = event?.fields ?? first?.event ?? {}
  const request = describeAlert(alert, explain?.result?.explain ?? undefined, { fields, logsources: event?.logsources ?? [] })
  return { request, events: event === undefined ? JSON.stringify(fields) : printTestEvent(event) }
}

/** An event may have been deleted since, when the alert still tells of it. */
function forgetMissing(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined
  throw error
}
