import { wholeNumberParameter } from '@tripline/contract/public/parameters'
import { toProfileName } from '@tripline/contract/public/profile'
import type { Profile } from '@tripline/contract/public/profile'
import { paging } from '@tripline/contract/public/wrapper'
import { z } from 'zod'
import { limits } from '../../limits.ts'
import type { SortKey } from '@tripline/model/lists/filter'
import type { ListRequest } from '../lists/list-page.ts'
import { publicParameterError } from './public-errors.ts'

/** How a list can be sorted: the public names of fields, and those of the list behind; and its default. */
export type PublicSorting = { readonly sort: { readonly [name: string]: string }; readonly sortDefault: SortKey }

/** The page that a request asks for, in internal words. */
export type PublicPaging = Pick<ListRequest, 'order' | 'limit' | 'start'>

/** The parameters of every list, as a profile names and numbers them. */
export function toPagingSchema(profile: Profile, { sort }: PublicSorting): z.ZodObject {
  const { firstPage, directionName } = paging[profile]
  const { publicSizeMax, windowMax } = limits.page
  return z.object({
    page: wholeNumberParameter(firstPage, windowMax).optional(),
    size: wholeNumberParameter(1, publicSizeMax).optional(),
    sort: z.enum(Object.keys(sort).map((name) => toProfileName(profile, name))).optional(),
    [directionName]: z.enum(['asc', 'desc']).optional(),
    cursor: z.string().optional(),
  })
}

/** Reads the parameters of a list, validated by their schema. @throws AppError INVALID_PARAMETER for a page out of reach. */
export function readPaging(
  profile: Profile, { sort, sortDefault }: PublicSorting, given: { readonly [name: string]: string | undefined },
): PublicPaging {
  const { firstPage, directionName } = paging[profile]
  const { page: pageText, size: sizeText, sort: sorted, cursor, [directionName]: stated } = given
  const names = Object.entries(sort).find(([name]) => toProfileName(profile, name) === sorted)
  const direction = stated === 'asc' || stated === 'desc' ? stated : undefined
  const order = { field: names?.[1] ?? sortDefault.field, direction: direction ?? (names === undefined ? sortDefault.direction : 'desc') }
  const limit = sizeText === undefined ? limits.page.publicSizeDefault : Number(sizeText)
  if (cursor === undefined) return { order: [order], limit, start: { page: readPage(pageText, limit, firstPage) } }
  if (pageText !== undefined) throw publicParameterError('page', pageText, { reason: 'use either page or cursor' })
  return { order: [order], limit, start: { cursor } }
}

/** The number of a page from 1. */
function readPage(text: string | undefined, size: number, firstPage: number): number {
  const page = (text === undefined ? firstPage : Number(text)) - firstPage + 1
  const { windowMax } = limits.page
  if (page * size <= windowMax) return page
  throw publicParameterError('page', text ?? '', { reason: `pages reach the first ${windowMax} entries; use cursor` })
}
