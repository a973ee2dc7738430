import { describeStateStore } from './conformance.ts'
import { createFilledStates } from './open-memory-state.ts'
import { auditKey, fill } from './state-samples.ts'

const openFilledState = createFilledStates({ auditKey }, fill)

describeStateStore('state in memory', async () => {
  const store = await openFilledState()
  return { store, close: () => store.close() }
})
