/**
 * Publishes to the bus in a folder and runs a stage on it until it is killed, and prints the number of each
 * acknowledged message: `node publish-main.ts <folder> <first number>`.
 */
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { writeSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runStage } from '../src/stages/stage.ts'
import { killSizes, killTopics } from './stage-kill-topics.ts'

const [folder = '', first = '0'] = process.argv.slice(2)
const bus = await openLocalBus({ disk: nodeFileSystem(folder), topics: killTopics, sizes: killSizes })
let next = Number(first)

async function publishOn(tenant: string): Promise<never> {
  for (;;) {
    const numbers = Array.from({ length: 10 }, () => next++)
    await bus.publish('in', tenant, numbers.map((number) => Buffer.from(String(number))))
    // Unbuffered: output still in a buffer at the kill would count as not acknowledged.
    writeSync(1, `${numbers.join('\n')}\n`)
  }
}

const stage = runStage({
  name: 'copy',
  consumer: bus.consumer('in', 'stage'),
  handle: async (messages) => ({ outputs: messages.map(({ tenant, bytes }) => ({ topic: 'out', tenant, bytes })) }),
  publish: (topic, tenant, messages) => bus.publish(topic, tenant, messages),
  pause: (lengthMs) => pause(lengthMs),
}, new AbortController().signal)

await Promise.all([stage, publishOn('t'), publishOn('u'), publishOn('v')])
