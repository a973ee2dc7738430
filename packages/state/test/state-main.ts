/**
 * Changes a store until it is killed, and prints each change after it is stored: `node state-main.ts <path> <first
 * number>`.
 */
import { writeSync } from 'node:fs'
import { openState } from '../src/open-state.ts'
import { auditFactsWith, auditKey, newAlertWith, tenantWith } from './state-samples.ts'

const [path = '', first = '0'] = process.argv.slice(2)
const store = await openState({ path, auditKey })
await store.tenants.insert(tenantWith({}))
for (let number = Number(first); ; number++) {
  await store.transaction(async ({ alerts, audit }) => {
    await alerts.insert('a', [newAlertWith({ id: `m${number}`, dedupKey: `key ${number}` })])
    await audit.append('a', auditFactsWith({ target: { type: 'alert', id: `m${number}` } }))
  })
  // Unbuffered: output still in a buffer at the kill would count as not acknowledged.
  writeSync(1, `m${number}\n`)
}
