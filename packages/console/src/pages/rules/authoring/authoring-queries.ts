import { useQuery } from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import type { EventDetailBody } from '@tripline/contract/console/event'
import type { RuleMatchList } from '@tripline/contract/console/rule'
import type { CompileContextBody } from '@tripline/contract/console/rules/rule-authoring'
import type { SearchResultBody } from '@tripline/contract/console/search'
import { callApi, sendApi } from '../../../api/client.ts'
import { queryClient } from '../../../api/query-client.ts'
import { printFieldQuery } from '../../../lib/text-query.ts'
import { toIso } from '../../../lib/time-range.ts'
import { toRulePath } from '../rule-queries.ts'
import { chooseLogsource } from './describe-alert.ts'

/** The name of a rule that is not stored. */
export const newRule = 'new'

const matchesMax = 5
/** Fields whose last event is looked for. */
const fieldsMax = 12
const weekMs = 7 * 86_400_000

/** What the text is compiled with on the server: filters, exceptions in force, and the rules that it refers to. */
export function useCompileContext(id: string, refersTo: readonly string[]): UseQueryResult<CompileContextBody> {
  return useQuery({
    queryKey: ['rules', 'context', id, refersTo],
    queryFn: ({ signal }) => {
      const query = { rule: id === newRule ? undefined : id, refers_to: refersTo.join() }
      return callApi<CompileContextBody>('/v1/detection/compile-context', { query, signal })
    },
    placeholderData: (before) => before,
  })
}

/** The events of the last matches of a rule as text for a test, one a line. */
export async function readMatchedEvents(id: string): Promise<string> {
  const { matches } = await callApi<RuleMatchList>(`${toRulePath(id)}/matches`, { query: { limit: String(matchesMax) } })
  const ids = matches.flatMap(({ event_id: event }) => event ?? [])
  const events = await Promise.all(ids.map((event) => readEventDetail(event)))
  return events.map(printTestEvent).join('\n')
}

type FoundEvents = { readonly events: string; readonly logsource: ReturnType<typeof chooseLogsource> }

/** The newest events that a search finds as text for a test, one a line, and the log source of the first. */
export async function readFoundEvents(query: string, signal: AbortSignal): Promise<FoundEvents> {
  const wanted = { q: query, from: toIso(Date.now() - weekMs), limit: String(matchesMax) }
  const { data } = await callApi<SearchResultBody>('/v1/search', { query: wanted, signal })
  const [first] = data
  const events = data.map(({ fields }) => JSON.stringify(fields)).join('\n')
  return { events, logsource: chooseLogsource(first === undefined ? [] : (await readEventDetail(first.id, signal)).logsources) }
}

/** The newest events that have what a rule needs, or of any kind where it needs nothing, as text for a test. */
export async function readRecentEvents(fields: readonly string[]): Promise<string> {
  return (await readFoundEvents(fields.map(printFieldQuery).join(' '), new AbortController().signal)).events
}

/** When each of some fields was last seen in a stored event of the last 7 days; undefined for one that was not. */
export function useLastSeen(fields: readonly string[]): UseQueryResult<ReadonlyMap<string, string | undefined>> {
  return useQuery({
    queryKey: ['rules', 'fields', fields],
    queryFn: async ({ signal }) => {
      const from = toIso(Date.now() - weekMs)
      const found = new Map<string, string | undefined>()
      // One after the other: a field that no event has takes a search of the whole range.
      for (const field of fields.slice(0, fieldsMax)) {
        const query = { q: printFieldQuery(field), from, limit: '1', histogram: 'false' }
        found.set(field, (await callApi<SearchResultBody>('/v1/search', { query, signal })).data[0]?.timestamp)
      }
      return found
    },
    structuralSharing: false,
  })
}

/** A stored event. @throws ApiError, of status 404 where it is not stored any more. */
export async function readEventDetail(id: string, signal?: AbortSignal): Promise<EventDetailBody> {
  return await callApi<EventDetailBody>(`/v1/events/${encodeURIComponent(id)}`, { signal })
}

/** An event as a line of a test: as it arrived where that is JSON. */
export function printTestEvent({ raw, fields }: Pick<EventDetailBody, 'raw' | 'fields'>): string {
  return toLine(raw) ?? JSON.stringify(fields)
}

/** A text that arrived as JSON, in one line; undefined if it was something else. */
function toLine(raw: string): string | undefined {
  try {
    const value: unknown = JSON.parse(raw)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? raw.replaceAll(/\s*\n\s*/g, ' ') : undefined
  } catch {
    return undefined
  }
}

/** A saved rule: what the page needs of the answer. */
type SavedRule = { readonly id: string; readonly version: number; readonly warnings: readonly string[] }

type RuleSave = { readonly definition: string; readonly etag: string | undefined; readonly isForced: boolean }

/** Saves a text as a new version of a rule, or as a new rule. @throws ApiError. */
export async function saveRule(id: string, { definition, etag, isForced }: RuleSave): Promise<SavedRule> {
  const query = { force: isForced ? 'true' : undefined }
  const { body } = id === newRule
    ? await sendApi<SavedRule>('/v1/detection/rules', { method: 'POST', query, body: { definition } })
    : await sendApi<SavedRule>(toRulePath(id), { method: 'PUT', query, body: { definition }, ifMatch: etag })
  await queryClient.invalidateQueries({ queryKey: ['rules'] })
  return body
}
