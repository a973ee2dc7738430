import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isTransientStateError } from '../src/ports/store-error.ts'
import { openState } from '../src/open-state.ts'
import { tenantWith } from './state-samples.ts'

const auditKey = Buffer.alloc(32, 3)
let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-error-'))
})
afterEach(() => rm(folder, { recursive: true }))

test('a database that cannot be written is a transient fault, and a broken constraint is a bug', async () => {
  const path = join(folder, 'state.db')
  const writer = await openState({ path, auditKey })
  await writer.tenants.insert(tenantWith({ id: 'acme' }))
  const reader = await openState({ path, auditKey, use: 'read' })
  const refusal: unknown = await reader.tenants.insert(tenantWith({ id: 'other' })).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ name: 'StoreError', code: 'TRANSIENT', message: 'attempt to write a readonly database' })
  const bug: unknown = await writer.checkpoints.save('missing', 'detect', { put: new Map([['head', Buffer.from('x')]]) })
    .catch((error: unknown) => error)
  expect([refusal, bug].map(isTransientStateError)).toEqual([true, false])
  await reader.close()
  await writer.close()
})
