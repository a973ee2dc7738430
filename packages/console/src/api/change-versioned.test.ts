import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { changeVersioned, isOutdated } from './change-versioned.ts'

/** A resource on a server whose version events raise, `raises` times, each time a change is under way. */
function createResource({ raises, status = 'new' }: { readonly raises: number; readonly status?: string }) {
  const state = { version: 1, status, left: raises, sent: 0 }
  return {
    state,
    read: async () => ({ status: state.status, etag: String(state.version) }),
    send: async (etag: string | undefined) => {
      state.sent++
      if (state.left-- > 0) state.version++
      if (etag !== String(state.version)) throw new ApiError({ status: 412, code: 'PRECONDITION_FAILED', message: 'outdated' })
      return 'changed'
    },
  }
}
const isConflict = ({ status }: { readonly status: string }): boolean => status !== 'new'

test.each([
  { title: 'nothing between', raises: 0, sent: 1 },
  { title: 'one event between', raises: 1, sent: 2 },
  { title: 'an event at each of four tries', raises: 4, sent: 5 },
])('a change is sent until its version holds: $title', async ({ raises, sent }) => {
  const { state, read, send } = createResource({ raises })
  expect(await changeVersioned({ known: { status: 'new', etag: '1' }, read, isConflict, send })).toBe('changed')
  expect(state.sent).toBe(sent)
})

test.each([
  { title: 'events never pause', resource: { raises: Infinity }, known: { status: 'new', etag: '1' }, sent: 5 },
  { title: 'another user decided before', resource: { raises: 0, status: 'closed' }, known: undefined, sent: 0 },
  { title: 'another user decided since it was read', resource: { raises: 1, status: 'closed' }, known: { status: 'new', etag: '0' }, sent: 1 },
])('a change is refused where $title', async ({ resource, known, sent }) => {
  const { state, read, send } = createResource(resource)
  await expect(changeVersioned({ known, read, isConflict, send })).rejects.toSatisfy(isOutdated)
  expect(state.sent).toBe(sent)
})

test('what the page read before is read again where it is older than what the user saw', async () => {
  const { read, send } = createResource({ raises: 0 })
  expect(await changeVersioned({ known: { status: 'closed', etag: '0' }, read, isConflict, send })).toBe('changed')
})

test('another error is passed on at once', async () => {
  const { read } = createResource({ raises: 0 })
  const send = async (): Promise<never> => await Promise.reject(new ApiError({ status: 403, code: 'FORBIDDEN', message: 'refused' }))
  await expect(changeVersioned({ known: undefined, read, isConflict, send })).rejects.toThrow('refused')
})
