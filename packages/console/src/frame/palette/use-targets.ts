import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import type { ViewBody } from '@tripline/contract/console/view'
import { useEffect, useState } from 'react'
import { getErrorText } from '../../api/api-error.ts'
import { callApi } from '../../api/client.ts'
import { isAmong, targetSources, toViewTarget } from './targets.ts'
import type { Target } from './targets.ts'

/** How long the user must pause before the server is asked. */
const pauseMs = 250
/** A single letter is in nearly everything. */
const lettersMin = 2

/** What was found, and why some of it may be missing. */
type Found = { readonly targets: readonly Target[]; readonly problem: string | undefined }

/** Looks for a text on the server, in what the given pages show; while it is asked, what was found before stays. */
export function useTargets(text: string, pages: readonly string[]): Found {
  const wanted = usePaused(text.trim())
  const isWanted = wanted.length >= lettersMin && text.trim().length >= lettersMin
  const results = useQueries({
    queries: targetSources.filter(({ page }) => pages.includes(page)).map(({ name, find }) => ({
      queryKey: ['palette', name, wanted],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => find(wanted, signal),
      enabled: isWanted,
      placeholderData: keepPreviousData,
    })),
  })
  if (!isWanted) return { targets: [], problem: undefined }
  const failed = results.find(({ error }) => error !== null)
  return {
    targets: results.flatMap(({ data = [] }) => data).filter((target) => isAmong(pages, target)),
    problem: failed === undefined ? undefined : getErrorText(failed.error),
  }
}

/** The saved views of the pages that the user has. */
export function useViewTargets(pages: readonly string[]): readonly Target[] {
  const { data = [] } = useQuery({
    queryKey: ['views', 'palette'],
    queryFn: async ({ signal }) => (await callApi<{ readonly views: readonly ViewBody[] }>('/v1/views', { signal })).views,
  })
  return data.map(toViewTarget).filter((target) => isAmong(pages, target))
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
