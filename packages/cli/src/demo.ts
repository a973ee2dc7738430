import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RunningServer } from '@tripline/server'
import { errorCode, exitCodes, usageError } from './command-error.ts'
import { defineCommand } from './command.ts'
import type { Context } from './context.ts'
import { printTour, readSampleEvents } from './demo-tour.ts'
import { writeText } from './write-text.ts'

const fixtures = fileURLToPath(new URL('../../../fixtures', import.meta.url))

/** What `npm start` runs: a server that has something to show. */
export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'Starts the server with sample rules, feeds it sample events, and shows what to try.',
  options: {
    port: {
      kind: 'text',
      value: '<number>',
      default: '8080',
      help: 'Where to listen on 127.0.0.1; when it is taken, a free one.',
    },
  },
  notes: ['Needs the fixtures of a clone. Runs until Ctrl-C and keeps nothing: its data directory is a temporary one.'],
  async run({ options }, context) {
    const port = readPort(options.port)
    const samples = readSampleEvents(join(fixtures, 'events'))
    const dataDir = await mkdtemp(join(tmpdir(), 'tripline-demo-'))
    try {
      const server = await startOn(port, dataDir, context)
      try {
        const { untilIdle } = server
        const shown = { origin: `http://127.0.0.1:${server.port}`, credentials: credentialsOf(server), untilIdle }
        await writeText(context.stdout, await printTour(shown, samples))
        await context.interrupted()
      } finally {
        await server.close()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
    return exitCodes.ok
  },
})

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65_535) return port
  throw usageError(`option '--port' is '${text}'; it takes a number from 0 to 65535`)
}

async function startOn(port: number, dataDir: string, context: Context): Promise<RunningServer> {
  // Loaded only here: the other commands start faster without the server.
  const { processIo, readConfig, startServer } = await import('@tripline/server')
  // The demo is the same on every machine: no variable changes it, and of its log only errors are shown.
  const io = { ...processIo(), environment: {}, logLine: (line: string) => showError(line, context) }
  const listenOn = async (port: number): Promise<RunningServer> => {
    const flags = ['--listen', `127.0.0.1:${port}`, '--data-dir', dataDir, '--rules', join(fixtures, 'rules')]
    return await startServer(await readConfig(flags, io), io)
  }
  try {
    return await listenOn(port)
  } catch (error) {
    const isTaken = error instanceof Error && errorCode(error.cause) === 'EADDRINUSE'
    if (!isTaken) throw error
    return await listenOn(0)
  }
}

/** A data directory that is new has nobody in it but the administrator of the first start. */
function credentialsOf({ firstAdmin }: RunningServer): NonNullable<RunningServer['firstAdmin']> {
  if (firstAdmin === undefined) throw new Error('a server on a new data directory has told no credentials')
  return firstAdmin
}

function showError(line: string, { stderr }: Context): void {
  const { level } = JSON.parse(line) as { readonly level: string }
  if (level === 'error') stderr.write(`${line}\n`)
}
