import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openState } from '../src/open-state.ts'
import { describeStateStore } from './conformance.ts'
import { auditKey } from './state-samples.ts'

/** An empty database, made once: each test gets a copy, which opens in a third of the time that all migrations take. */
const emptyFolder = await mkdtemp(join(tmpdir(), 'tripline-state-empty-'))
const emptyPath = join(emptyFolder, 'state.db')
await (await openState({ path: emptyPath, auditKey })).close()
afterAll(() => rm(emptyFolder, { recursive: true }))

describeStateStore('state in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-state-'))
  const path = join(folder, 'state.db')
  await copyFile(emptyPath, path)
  const store = await openState({ path, auditKey })
  return {
    store,
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
