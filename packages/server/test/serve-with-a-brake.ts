import { topics } from '@tripline/detection/pipeline/topics'
import type { Bus, Consumer, PollOptions } from '@tripline/storage/bus/bus'
import { openLocalBus } from '@tripline/storage/bus/local/local-bus'
import { nodeFileSystem } from '@tripline/storage/disk/file-system'
import { mkdirSync } from 'node:fs'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createServer } from '../src/index.ts'

// A program that embeds the server with a bus of its own, whose messages reach detection as the lines on stdin say: `stop`: none,
// `slow`: one every fifth of a second, `go`: all, as at first. It takes the options of `tripline serve` that it needs, and prints
// the same first line.

type Pace = 'go' | 'slow' | 'stop'
let pace: Pace = 'go'
const slowMs = 200

/** A consumer that reads at the pace. */
function brake(consumer: Consumer): Consumer {
  return {
    commit: (offset) => consumer.commit(offset),
    readAgain: (offset) => consumer.readAgain(offset),
    poll: async (options: PollOptions) => {
      // What reads ahead takes only what is there at once.
      if (pace !== 'go' && options.waitMs === 0) return []
      do {
        if (options.signal?.aborted === true) return []
        if (pace !== 'go') await sleep(slowMs)
      } while (pace === 'stop')
      return await consumer.poll(pace === 'slow' ? { ...options, max: 1 } : options)
    },
  }
}

const { values: { 'data-dir': dataDir = '', listen = '' }, positionals } = parseArgs({
  allowPositionals: true, options: { 'data-dir': { type: 'string' }, listen: { type: 'string' } },
})
mkdirSync(join(dataDir, 'bus'), { recursive: true, mode: 0o700 })
const local = await openLocalBus({ disk: nodeFileSystem(join(dataDir, 'bus')), topics })
const bus: Bus = {
  publish: (topic, tenant, messages, options) => local.publish(topic, tenant, messages, options),
  consumer: (topic, name) => (name === 'detect' ? brake(local.consumer(topic, name)) : local.consumer(topic, name)),
  readKept: (topic, where) => local.readKept(topic, where),
  discard: (topic, isKept) => local.discard(topic, isKept),
  stats: (topic) => local.stats(topic),
  close: () => local.close(),
}
const tripline = await createServer({ settings: { dataDir, rules: positionals.slice(1) }, stores: { bus } })
const http = createHttpServer(tripline.httpOptions, tripline.handleRequest).on('upgrade', tripline.handleUpgrade)
const [host, port] = listen.split(':')
http.listen(Number(port), host)
await once(http, 'listening')
process.stderr.write(`${JSON.stringify({ email: tripline.firstAdmin?.email, file: tripline.firstPasswordFile })}\n`)
process.stdout.write(`${JSON.stringify({ port: (http.address() as AddressInfo).port })}\n`)
createInterface({ input: process.stdin }).on('line', (line) => (pace = line as Pace))
await once(process, 'SIGTERM')
pace = 'go'
http.closeAllConnections()
http.close()
await tripline.stop()
await bus.close()
process.exit()
