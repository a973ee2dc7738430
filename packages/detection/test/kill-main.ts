/**
 * Runs the pipeline in a folder and ingests events until it is killed; prints the number of each acknowledged one:
 * `node kill-main.ts <folder> <first number>`.
 */
import { writeSync } from 'node:fs'
import { openKillWorld } from './kill-world.ts'
import { killEvent } from './requests.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
const { pipeline } = await openKillWorld(folder)
setInterval(() => void pipeline.tick(Date.now()), 20)

for (let number = Number(first); ; number += 20) {
  const numbers = Array.from({ length: 20 }, (_, i) => number + i)
  await pipeline.ingest('a', numbers.map(killEvent))
  // Unbuffered: output still in a buffer at the kill would count as not acknowledged.
  writeSync(1, `${numbers.join('\n')}\n`)
}
