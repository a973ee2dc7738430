import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query'
import type { IncidentBody, IncidentListBody } from '@tripline/contract/console/incident'
import type { PeopleBody } from '@tripline/contract/console/access/user'
import { useMemo } from 'react'
import { callApi } from '../../api/client.ts'
import { toIso } from '../../lib/time-range.ts'
import { incidentKey, readIncident } from './incident-store.ts'
import type { VersionedIncident } from './incident-store.ts'

const pageSize = 100
/** Rows ahead of the last visible one at which the next page is loaded. */
export const incidentsAhead = 50

type Parameters = Readonly<Record<string, string>>

type IncidentRows = {
  readonly query: UseInfiniteQueryResult<InfiniteData<IncidentListBody>>
  readonly rows: readonly IncidentBody[]
  readonly total: number
}

/** The incidents that a query of the API selects, page by page; `loadedAt` makes a reload another query. */
export function useIncidentList(parameters: Parameters, loadedAt: number): IncidentRows {
  const query = useInfiniteQuery({
    queryKey: ['incidents', 'list', parameters, loadedAt],
    queryFn: ({ pageParam, signal }) =>
      callApi<IncidentListBody>('/v1/incidents', { query: { ...parameters, limit: String(pageSize), cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    structuralSharing: false,
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
  const rows = useMemo(() => query.data?.pages.flatMap(({ incidents }) => incidents) ?? [], [query.data])
  return { query, rows, total: Math.max(query.data?.pages[0]?.pagination.total ?? 0, rows.length) }
}

/** The details of an incident with its version. */
export function useIncident(id: string): UseQueryResult<VersionedIncident> {
  return useQuery({ queryKey: incidentKey(id), queryFn: ({ signal }) => readIncident(id, signal), structuralSharing: false })
}

/** An incident once its details are read for something else: one that is open may be none of the rows of the list. */
export function useReadIncident(id: string | undefined): IncidentBody | undefined {
  return useQuery({ queryKey: incidentKey(id ?? ''), queryFn: () => readIncident(id ?? ''), enabled: false }).data?.incident
}

/** The users who can be assigned. */
export function usePeople(): UseQueryResult<PeopleBody['people']> {
  return useQuery({
    queryKey: ['people'],
    queryFn: async ({ signal }) => (await callApi<PeopleBody>('/v1/people', { signal })).people,
    staleTime: 60_000,
  })
}

/** How many incidents that match were opened since the list was loaded. */
export function useNewIncidentCount(parameters: Parameters, loadedAt: number, seen: number): number {
  const { data = 0 } = useQuery({
    queryKey: ['incidents', 'new', parameters, loadedAt, seen],
    queryFn: async ({ signal }) => {
      const query = { ...parameters, from: toIso(loadedAt), limit: '1' }
      return (await callApi<IncidentListBody>('/v1/incidents', { query, signal })).pagination.total
    },
    enabled: seen > 0,
    placeholderData: keepPreviousData,
  })
  return data
}
