import { mkdtemp, rm } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openState } from '../src/open-state.ts'
import type { StateStore } from '../src/ports/state-store.ts'
import { auditKey, tenantWith } from './state-samples.ts'

/** A store on disk, with one tenant, whose statements are known. */
export type PlannedStore = {
  readonly store: StateStore
  /** SQLite's query plans for the statements of a call. */
  readonly plansOf: (call: () => Promise<unknown>) => Promise<string[]>
  readonly close: () => Promise<void>
}

export async function openPlannedStore(): Promise<PlannedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'tripline-plans-'))
  const path = join(folder, 'state.db')
  const statements: string[] = []
  const store = await openState({ path, auditKey, onStatement: (text) => statements.push(text) })
  await store.tenants.insert(tenantWith({}))
  return {
    store,
    plansOf: async (call) => {
      statements.length = 0
      await call()
      const database = new DatabaseSync(path, { readOnly: true })
      const plans = statements.map((text) => database.prepare(`explain query plan ${text}`).all().map(({ detail }) => String(detail)).join('; '))
      database.close()
      return plans
    },
    close: async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
