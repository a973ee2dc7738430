import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openState } from '../src/open-state.ts'
import { describeStateStore } from './conformance.ts'
import { auditKey } from './state-samples.ts'

describeStateStore('state in memory', async () => {
  const store = await openState({ path: ':memory:', auditKey })
  return { store, close: () => store.close() }
})

describeStateStore('state in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-state-'))
  const store = await openState({ path: join(folder, 'state.db'), auditKey })
  return {
    store,
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
