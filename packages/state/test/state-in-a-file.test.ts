import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openState } from '../src/open-state.ts'
import { describeStateStore } from './conformance.ts'
import { auditKey, fill } from './state-samples.ts'

/** A database with the samples, made once: each test gets a copy, which is there in a third of the time that all migrations take. */
const filledFolder = await mkdtemp(join(tmpdir(), 'tripline-state-filled-'))
const filledPath = join(filledFolder, 'state.db')
const filled = await openState({ path: filledPath, auditKey })
await fill(filled)
await filled.close()
afterAll(() => rm(filledFolder, { recursive: true }))

describeStateStore('state in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-state-'))
  const path = join(folder, 'state.db')
  await copyFile(filledPath, path)
  const store = await openState({ path, auditKey })
  return {
    store,
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
})
