import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { openBenchFolder } from '../bench-folder.ts'
import { commandLinePrincipal, createTenant, createUser, issueToken, openAdminDataDir } from '../../packages/server/src/admin-api.ts'
import { generateWindowsLines } from '../fleet/generate-events.ts'
import { RandomNumbers } from '../fleet/random.ts'
import { limits } from '../../packages/detection/src/limits.ts'
import { computePercentile } from '../pipeline/offer-load.ts'
import { probeRule } from '../pipeline/probe-rule.ts'
import { startServerProcess } from '../pipeline/server-process.ts'
import type { ServerProcess } from '../pipeline/server-process.ts'
import type { FloodOptions, FloodOutcome } from './flood-thread.ts'
import { probe } from './quiet-probes.ts'
import type { ProbeOutcome } from './quiet-probes.ts'

export type TrialOptions = {
  readonly seed: number
  /** Milliseconds of each phase: the baseline and the flood. */
  readonly phaseMs: number
  /** Pairs of phases: what changes while the trial runs, such as the machine or the stored events, is in both columns. */
  readonly rounds: number
  /** Milliseconds to wait at most after a phase until nothing is left of its flood. */
  readonly settleMs: number
  /** Milliseconds of a flood before the phases, in which the code gets compiled. */
  readonly warmUpMs: number
  /** Batches that the flooding tenant sends alone, to measure the capacity. */
  readonly capacityBatches: number
  /** Multiple of the capacity that is offered. */
  readonly factor: number
  readonly batchSize: number
  readonly senders: number
  readonly nodeOptions?: readonly string[]
}

/** The same probes while the flood goes to a sink beside the server, and to the server. */
export type TrialOutcome = {
  readonly capacity: number
  readonly offeredBaseline: number
  readonly offered: number
  readonly accepted: number
  readonly baseline: ProbeOutcome
  readonly flooded: ProbeOutcome
  readonly flood: FloodOutcome
  /** Most memory that the server's process held. */
  readonly residentPeakBytes: number
}

const eventEveryMs = 100
const loudTenant = 'loud'
const loudSearch = `/v1/search?q=${encodeURIComponent('CommandLine:*a*e*')}`
const quietSearch = `/v1/search?q=${encodeURIComponent('host:quiet*')}`

/** Regular expressions without a literal of some length, which a literal index cannot rule out. */
function createRegexRules(seed: number): readonly string[] {
  const random = new RandomNumbers(seed)
  return Array.from({ length: 15 }, (_, i) => {
    const letters = Array.from({ length: 3 }, () => 'abcdefghijklmnopqrstuvwxyz'[random.below(26)]).join('')
    return `title: Own expression ${i}
logsource: { product: windows, category: process_creation }
level: medium
detection:
  odd:
    CommandLine|re: '[${letters}][0-9a-f]+[^ ]*[${letters}][0-9]+${'[a-z]'.repeat(1 + (i % 3))}~$'
  condition: odd
`
  })
}

/** @throws Error when the probes would create more alerts than a rule may in an hour: the server joins those beyond. */
function checkAlertCount({ phaseMs, rounds, warmUpMs }: TrialOptions): void {
  const alertCount = (warmUpMs + 2 * rounds * phaseMs) / eventEveryMs
  const { stormAlertsMax: max } = limits.pipeline
  if (alertCount <= max) return
  throw new Error(`the probes would create ${alertCount} alerts, and a rule creates ${max} in an hour: use fewer or shorter rounds`)
}

/** Runs the trial on a server with a new data directory. */
export async function runTrial(options: TrialOptions): Promise<TrialOutcome> {
  checkAlertCount(options)
  const { folder, removeFolder } = openBenchFolder('fairness')
  const [dataDir, rulesDir] = [join(folder, 'data'), join(folder, 'rules')]
  mkdirSync(rulesDir)
  writeFileSync(join(rulesDir, 'probe.yml'), probeRule.text)
  const server = await startServerProcess(dataDir, rulesDir, { nodeOptions: options.nodeOptions ?? [] })
  const sinkPath = join(import.meta.dirname, 'sink-process.ts')
  const sink = spawn(process.execPath, [sinkPath], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const [port] = (await once(sink.stdout.setEncoding('utf8'), 'data')) as [string]
    const [token, readerToken] = await createLoudTenant(dataDir)
    await createRules(server, token, createRegexRules(options.seed))
    const lines = generateWindowsLines({ seed: options.seed, count: 50 * options.batchSize }, 'winlogbeat 8, ECS', [1, 4688])
    const bodies = Array.from({ length: 50 }, (_, i) => {
      return Buffer.from(lines.slice(i * options.batchSize, (i + 1) * options.batchSize).join('\n'))
    })
    return await measure(options, { server, sinkOrigin: `http://127.0.0.1:${port.trim()}`, token, readerToken, bodies })
  } finally {
    sink.kill()
    await server.stop()
    removeFolder()
  }
}

type Setup = {
  readonly server: ServerProcess
  readonly sinkOrigin: string
  /** Of the user who floods, and of one who reads the books: users have a rate limit. */
  readonly token: string
  readonly readerToken: string
  readonly bodies: readonly Uint8Array[]
}

async function measure(options: TrialOptions, { server, sinkOrigin, token, readerToken, bodies }: Setup): Promise<TrialOutcome> {
  const { batchSize, capacityBatches, factor, phaseMs, rounds, senders, settleMs, warmUpMs } = options
  // Twice: in the first round the rules are compiled.
  let capacity = 0
  for (let round = 0; round < 2; round++) {
    const startedAt = performance.now()
    const before = await readEvaluated(server, readerToken)
    const alone = startFlood({
      origin: server.origin, token, bodies, batchesPerSecond: Infinity, batchesMax: capacityBatches, search: undefined, senders,
    })
    await alone.stop()
    await untilDrained(server, readerToken)
    capacity = ((await readEvaluated(server, readerToken) - before) / (performance.now() - startedAt)) * 1_000
  }

  const batchesPerSecond = (factor * capacity) / batchSize
  const flood = { token, bodies, batchesPerSecond, batchesMax: Infinity, search: loudSearch, senders }
  const probes = { ...server, durationMs: phaseMs, eventEveryMs, searchEveryMs: 250, search: quietSearch }
  const runPhase = async (origin: string, durationMs = phaseMs): Promise<Phase> => {
    const running = startFlood({ ...flood, origin })
    const evaluatedBefore = await readEvaluated(server, readerToken)
    const quiet = await probe({ ...probes, durationMs })
    const evaluated = await readEvaluated(server, readerToken) - evaluatedBefore
    const loud = await running.stop()
    await untilDrained(server, readerToken)
    await untilIdle(server, settleMs)
    return { quiet, loud, evaluated }
  }
  await runPhase(server.origin, warmUpMs)
  const [beside, against]: [Phase[], Phase[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    beside.push(await runPhase(sinkOrigin))
    against.push(await runPhase(server.origin))
  }
  const perSecond = (count: number): number => (count / (phaseMs * rounds)) * 1_000
  const countEvents = ({ statuses }: FloodOutcome): number => statuses.reduce((sum, [, count]) => sum + count * batchSize, 0)
  const floods = { baseline: poolFloods(beside), flooded: poolFloods(against) }
  return {
    capacity, baseline: poolProbes(beside), flooded: poolProbes(against), flood: floods.flooded,
    accepted: perSecond(against.reduce((sum, { evaluated }) => sum + evaluated, 0)),
    offeredBaseline: perSecond(countEvents(floods.baseline)), offered: perSecond(countEvents(floods.flooded)),
    residentPeakBytes: server.usage().residentPeakBytes,
  }
}

/** What the quiet tenant and the flood met in a phase, and how many events of the flood were evaluated meanwhile. */
type Phase = { readonly quiet: ProbeOutcome; readonly loud: FloodOutcome; readonly evaluated: number }

function poolProbes(phases: readonly Phase[]): ProbeOutcome {
  const sum = (name: 'missingCount' | 'refusedCount'): number => phases.reduce((total, { quiet }) => total + quiet[name], 0)
  return {
    ackMs: phases.flatMap(({ quiet }) => quiet.ackMs), alertMs: phases.flatMap(({ quiet }) => quiet.alertMs),
    searchMs: phases.flatMap(({ quiet }) => quiet.searchMs), missingCount: sum('missingCount'), refusedCount: sum('refusedCount'),
  }
}

function poolFloods(phases: readonly Phase[]): FloodOutcome {
  const statuses = new Map<number, number>()
  for (const { loud } of phases) for (const [status, count] of loud.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count)
  return { statuses: [...statuses], searchMs: phases.flatMap(({ loud }) => loud.searchMs) }
}

type Flood = { readonly stop: () => Promise<FloodOutcome> }

function startFlood(options: FloodOptions): Flood {
  const thread = new Worker(new URL('flood-thread.ts', import.meta.url), { workerData: options })
  return {
    async stop() {
      thread.postMessage('stop')
      const [outcome] = (await once(thread, 'message')) as [FloodOutcome]
      await thread.terminate()
      return outcome
    },
  }
}

/** Creates the flooding tenant; returns the access tokens of two users. */
async function createLoudTenant(dataDir: string): Promise<readonly [flooder: string, reader: string]> {
  const io = { now: () => Date.now(), elapsedMs: () => performance.now(), randomBytes: (length: number) => randomBytes(length) }
  const installation = await openAdminDataDir({ dataDir, issuerName: 'tripline' }, io)
  try {
    const caller = commandLinePrincipal(loudTenant)
    await createTenant(installation, caller, { id: loudTenant, name: loudTenant })
    const createToken = async (email: string): Promise<string> => {
      await createUser(installation, caller, { email, name: email, roles: ['admin'] })
      return (await issueToken(installation, caller, email)).text
    }
    return [await createToken('loud@example.org'), await createToken('reader@example.org')]
  } finally {
    await installation.close()
  }
}

async function createRules({ origin }: ServerProcess, token: string, rules: readonly string[]): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  for (const definition of rules) {
    const body = JSON.stringify({ definition })
    const response = await fetch(`${origin}/v1/detection/rules`, { method: 'POST', headers, body })
    if (response.status !== 201) throw new Error(`a rule was answered ${response.status}: ${await response.text()}`)
  }
}

type Books = { readonly evaluated: number; readonly in_flight: number }

async function readBooks({ origin }: ServerProcess, token: string): Promise<Books> {
  const response = await fetch(`${origin}/v1/pipeline/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return ((await response.json()) as { readonly books: Books }).books
}

async function readEvaluated(server: ServerProcess, token: string): Promise<number> {
  return (await readBooks(server, token)).evaluated
}

async function untilDrained(server: ServerProcess, token: string): Promise<void> {
  while ((await readBooks(server, token)).in_flight > 0) await pause(200)
}

/** Waits until nothing is left of a flood, such as blocks that are encoded, so that no phase has the work of the one before. */
async function untilIdle({ usage }: ServerProcess, settleMs: number): Promise<void> {
  const [stepMs, idleShare] = [500, 0.2]
  for (let waitedMs = 0; waitedMs < settleMs; waitedMs += stepMs) {
    const before = usage().processorMs
    await pause(stepMs)
    if (usage().processorMs - before < stepMs * idleShare) return
  }
}

async function pause(lengthMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, lengthMs))
}

/** A table of the outcome, in Markdown. */
export function printOutcome(outcome: TrialOutcome): string {
  const { capacity, offeredBaseline, offered, accepted, baseline, flooded, flood, residentPeakBytes } = outcome
  const rows = (['alertMs', 'ackMs', 'searchMs'] as const).map((name) => {
    const cells = [50, 99].flatMap((percent) => {
      const [beside = NaN, under = NaN] = [computePercentile(baseline[name], percent), computePercentile(flooded[name], percent)]
      return [`${beside.toFixed(1)} ms`, `${under.toFixed(1)} ms`, (under / beside).toFixed(2)]
    })
    return `| ${{ alertMs: 'event to alert', ackMs: 'event to 202', searchMs: 'search' }[name]} | ${cells.join(' | ')} |`
  })
  const statuses = flood.statuses.map(([status, count]) => `${count} times ${status}`).join(', ')
  return `Capacity of the flooding tenant alone: ${capacity.toFixed(0)} events/s; offered ${offeredBaseline.toFixed(0)} to the sink and \
${offered.toFixed(0)} to the server, which evaluated ${accepted.toFixed(0)} (batches: ${statuses}); ${flood.searchMs.length} wildcard \
searches of the flooding tenant. Of the quiet tenant's ${flooded.ackMs.length} events ${flooded.missingCount} had no alert, and \
${flooded.refusedCount} requests were refused. The server held at most ${(residentPeakBytes / 2 ** 20).toFixed(0)} MiB.

| quiet tenant | p50, flood to the sink | p50, flood to the server | ratio | p99, sink | p99, server | ratio |
| --- | --- | --- | --- | --- | --- | --- |
${rows.join('\n')}
`
}
