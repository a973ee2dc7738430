import { useLocation } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { PageRow } from './page-table.ts'

/**
 * The range that the pages with one are opened with: that of the last of them whose address states one up to now, such as `-15m`. A
 * span that was marked on one page stays there.
 */
export function useKeptRange(pages: readonly PageRow[]): (page: PageRow) => { readonly from?: string } {
  const stated = useLocation({
    select: ({ pathname, searchStr }) => {
      if (!pages.some(({ path, hasRange }) => path === pathname && hasRange === true)) return undefined
      const given = new URLSearchParams(searchStr)
      const from = given.get('from') ?? ''
      return /^-\d{1,5}[mhd]$/.test(from) && !given.has('to') ? from : undefined
    },
  })
  const [kept, setKept] = useState(stated)
  if (stated !== undefined && stated !== kept) setKept(stated)
  const from = stated ?? kept
  return useCallback(({ hasRange }) => (hasRange === true && from !== undefined ? { from } : {}), [from])
}
