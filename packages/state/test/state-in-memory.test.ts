import { openState } from '../src/open-state.ts'
import { describeStateStore } from './conformance.ts'
import { auditKey } from './state-samples.ts'

describeStateStore('state in memory', async () => {
  const store = await openState({ path: ':memory:', auditKey })
  return { store, close: () => store.close() }
})
