/**
 * How long starts take: of the sources, of the program as files, of the single executable.
 *
 *     node bench/start.bench.ts [<program>...] [--rounds N]
 *
 * A program is an executable, the folder of the packed package `tripline`, as `node tools/release/release.ts` makes them, or a
 * file that Node runs (`packages/cli/src/main.ts` if none is named). Each round has a data directory and a cache of its own, so
 * that the first start of a round unpacks and the later ones do not. Prints the fastest time and the median, and the median of
 * the processor time, which is what stays comparable on a busy machine. Linux alone: processor time is read from /proc.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { median } from 'tripline/measuring'
import { openBenchFolder } from './bench-folder.ts'

type Sample = { readonly wallMs: number; readonly processorMs: number }

const root = join(import.meta.dirname, '..')
const examples = join(root, 'packages/cli/examples')
/** What a tick of /proc is in milliseconds, on every processor that Node runs on. */
const tickMs = 10

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string', default: '7' } } })
const programs = positionals.length === 0 ? [join(root, 'packages/cli/src/main.ts')] : positionals.map((path) => resolve(path))
for (const program of programs) {
  const samples = new Map<string, Sample[]>()
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [name, sample] of await measureRound(program)) samples.set(name, [...samples.get(name) ?? [], sample])
  }
  for (const [name, own] of samples) {
    const walls = own.map(({ wallMs }) => wallMs)
    const figures = [Math.min(...walls), median(walls), median(own.map(({ processorMs }) => processorMs))]
    process.stdout.write(`| ${basename(program)} | ${name} | ${figures.map((ms) => `${Math.round(ms)} ms`).join(' | ')} |\n`)
  }
}

async function measureRound(program: string): Promise<readonly (readonly [string, Sample])[]> {
  const { folder, removeFolder } = openBenchFolder('start')
  const environment = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') }
  const file = statSync(program).isDirectory() ? join(program, 'dist/main.js') : program
  const command = /^\.[jt]s$/.test(extname(file)) ? [process.execPath, file] : [file]
  const detect = ['detect', join(examples, 'whoami.yml'), '--input', join(examples, 'events.ndjson')]
  const serve = ['serve', join(examples, 'whoami.yml'), '--listen', '127.0.0.1:0', '--data-dir', join(folder, 'data')]
  try {
    return [
      ['--version, first', runToEnd([...command, '--version'], environment)],
      ['--version', runToEnd([...command, '--version'], environment)],
      ['detect', runToEnd([...command, ...detect], environment)],
      ['serve to ready, new data directory', await runToReady([...command, ...serve], environment)],
      ['serve to ready, again', await runToReady([...command, ...serve], environment)],
    ]
  } finally {
    removeFolder()
  }
}

/** Runs a command; the shell's `times` tells what its child took of the processor. */
function runToEnd(command: readonly string[], env: NodeJS.ProcessEnv): Sample {
  const startedAt = performance.now()
  const { status, stdout } = spawnSync('sh', ['-c', '"$@" > /dev/null && times', 'sh', ...command], { env, encoding: 'utf8' })
  const wallMs = performance.now() - startedAt
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`)
  const [, ofChildren = ''] = stdout.split('\n')
  const seconds = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].map(([, minutes, rest]) => Number(minutes) * 60 + Number(rest))
  return { wallMs, processorMs: seconds.reduce((sum, one) => sum + one, 0) * 1_000 }
}

async function runToReady(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Sample> {
  const [program = '', ...args] = command
  const startedAt = performance.now()
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const { done } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const wallMs = performance.now() - startedAt
  if (done === true) throw new Error(`${command.join(' ')} ended before it was ready`)
  // Fields 14 and 15, of which the name in parentheses is the second.
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ')
  child.kill('SIGTERM')
  await once(child, 'exit')
  return { wallMs, processorMs: (Number(fields[11]) + Number(fields[12])) * tickMs }
}
