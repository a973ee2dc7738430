/**
 * Stores alerts and groups them into incidents until it is killed, and prints the id of each alert after it is stored:
 * `node incident-kill-main.ts <path> <first number>`.
 */
import { writeSync } from 'node:fs'
import { setImmediate as othersFirst } from 'node:timers/promises'
import { numberedAlert, openGrouping } from './incident-kill-world.ts'

const batchSize = 5
const [path = '', first = '0'] = process.argv.slice(2)
const { store } = await openGrouping(path)
for (let number = Number(first); ; number += batchSize) {
  const alerts = Array.from({ length: batchSize }, (_, offset) => numberedAlert(number + offset))
  await store.alerts.insert('a', alerts)
  // Unbuffered: output still in a buffer at the kill would count as not acknowledged.
  writeSync(1, alerts.map(({ id }) => `${id}\n`).join(''))
  await othersFirst()
}
