import { record, text } from '@tripline/contract/public/shape'
import { expect, test } from 'vitest'
import { nothing, one, page, whole } from './public-route.ts'

const entry = record({ host_name: text })
const value = { host_name: 'web-1' }

test.for<[title: string, rendered: readonly [a: unknown, b: unknown], forms: readonly [a: unknown, b: unknown]]>([
  ['one resource', [one(entry).render('a', value), one(entry).render('b', value)], [{ hostName: 'web-1' }, { host_name: 'web-1' }]],
  ['a whole list', [whole(entry).render('a', [value]), whole(entry).render('b', [value])],
    [[{ hostName: 'web-1' }], { data: [{ host_name: 'web-1' }] }]],
  ['nothing', [nothing.render('a', undefined), nothing.render('b', undefined)], [undefined, undefined]],
  ...([[1, 0, 0], [1, 3, 2], [2, 3, 2], [3, 3, 2], [1, 4, 2]] as const).map(([number, total, pages]) => {
    const answer = { entries: [value], page: number, size: 2, total, nextCursor: 'c' }
    return [
      `page ${number} of ${total} entries`, [page(entry).render('a', answer), page(entry).render('b', answer)],
      [
        { content: [{ hostName: 'web-1' }], totalElements: total, totalPages: pages, number: number - 1, size: 2 },
        { data: [{ host_name: 'web-1' }], pagination: { page: number, size: 2, total, total_pages: pages, next_cursor: 'c' } },
      ],
    ] as [string, [unknown, unknown], [unknown, unknown]]
  }),
])('%s in both profiles', ([, rendered, forms]) => {
  expect(rendered).toEqual(forms)
})
