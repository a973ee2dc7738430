import { execFileSync, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readText, repositoryRoot } from '../workspace.ts'
import { buildExecutable, packTree } from './build-executable.ts'
import { packOnce } from './pack-once.ts'
import { printSbom } from './print-sbom.ts'
import { buildProgramTree, measureTree } from './program-tree.ts'
import { programs } from './programs.ts'
import type { ReleasedProgram } from './programs.ts'
import { findRuntime } from './runtimes.ts'

// The executable, the tree of files of the container and the service, started as a machine would start them, as another user
// where the tests run as root. What they are made of is packed first, as for a release.

const folder = mkdtempSync(join(tmpdir(), 'tripline-program-'))
const at = (name: string): string => join(folder, name)
const examples = join(repositoryRoot, 'packages/cli/examples')
const isRoot = process.getuid?.() === 0
/** The user of the container, without any privilege. */
const asUser = isRoot ? ['setpriv', '--reuid=10001', '--regid=10001', '--clear-groups', '--no-new-privs'] : []
let child: ChildProcess | undefined
/** The packed trees of the programs. */
const trees = new Map<ReleasedProgram, Buffer>()

beforeAll(async () => {
  chmodSync(folder, 0o755)
  const packed = packOnce()
  for (const program of Object.values(programs)) {
    const folder = at(`files/${program.name}`)
    await buildProgramTree(program, packed, folder)
    const tree = packTree(folder)
    trees.set(program, tree)
    buildExecutable({ program, tree, node: findRuntime('executable-x64'), output: at(program.name) })
  }
  for (const name of ['cache', 'data', 'home']) mkdirSync(at(name))
  if (isRoot) execFileSync('chown', ['10001:10001', at('cache'), at('data'), at('home')])
})
afterEach(async () => {
  if (child !== undefined && child.exitCode === null) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  child = undefined
})
afterAll(() => {
  if (isRoot) chmodSync(folder, 0o755)
  rmSync(folder, { recursive: true, force: true })
})

const environment = { PATH: process.env['PATH'], HOME: at('home'), CACHE_DIRECTORY: at('cache') }

function runAsUser(command: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const [program = '', ...args] = [...asUser, ...command]
  return spawnSync(program, args, { encoding: 'utf8', env: environment, cwd: examples })
}

/** Starts a command and waits for the line that says where it listens. */
async function start(command: readonly string[]): Promise<{ readonly server: string; readonly startMs: number }> {
  const [name = '', ...args] = [...asUser, ...command]
  const startedAt = performance.now()
  child = spawn(name, args, { env: environment, cwd: examples, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`${command.join(' ')} ended with ${String(code ?? signal)} before it was ready`)
  })
  const { value: line } = await Promise.race([createInterface({ input: child.stdout! })[Symbol.asyncIterator]().next(), ended])
  const { port } = JSON.parse(String(line)) as { port: number }
  return { server: `http://127.0.0.1:${port}`, startMs: Math.round(performance.now() - startedAt) }
}

describe('the single executable', () => {
  test('detects, explains itself and keeps one copy of its program', () => {
    for (const round of [1, 2]) {
      const startedAt = performance.now()
      const { status, stdout } = runAsUser([at('tripline'), 'detect', 'whoami.yml', '--input', 'events.ndjson'])
      process.stdout.write(`the executable's detect, run ${round}: ${Math.round(performance.now() - startedAt)} ms\n`)
      expect([status, (JSON.parse(stdout.split('\n')[0]!) as { title: string }).title]).toEqual([0, 'Whoami as system'])
    }
    expect(readdirSync(at('cache'))).toHaveLength(1)
    expect(runAsUser([at('tripline'), 'detect', 'whoami.yml', '--input', 'events.ndjson', '--jobs', '2'])).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Warning') })
  })

  test('serves from a data directory, with its pages, until SIGTERM', async () => {
    const { server, startMs } = await start([at('tripline'), 'serve', 'whoami.yml', '--listen', '127.0.0.1:0', '--data-dir', at('data/executable')])
    process.stdout.write(`the executable's serve: ready after ${startMs} ms\n`)
    expect(runAsUser([at('tripline'), 'ready', '--wait', '60', '--server', server])).toMatchObject({ status: 0, stdout: 'ready\n' })
    child?.kill('SIGTERM')
    expect(await once(child!, 'exit')).toEqual([0, null])
  })

  test.for(Object.values(programs))('of $name prints its version and manual', ({ name, folder }) => {
    const { version } = JSON.parse(readText(`${folder}/package.json`)) as { readonly version: string }
    expect(runAsUser([at(name), '--version'])).toMatchObject({ status: 0, stdout: `${version}\n` })
    expect(runAsUser([at(name), 'man'])).toMatchObject({ status: 0, stdout: expect.stringContaining(`.TH ${name.toUpperCase()} 1`) })
  })

  test('is made for arm64 too', () => {
    const tree = trees.get(programs.tripline)!
    buildExecutable({ program: programs.tripline, tree, node: findRuntime('executable-arm64'), output: at('tripline-arm64') })
    const head = Buffer.alloc(20)
    readSync(openSync(at('tripline-arm64'), 'r'), head)
    // ELF, and the number of the architecture: 183 is AArch64.
    expect([head.toString('latin1', 1, 4), head.readUInt16LE(18)]).toEqual(['ELF', 183])
    rmSync(at('tripline-arm64'))
  })
})

describe('the container', () => {
  const file = readText('deploy/container/Containerfile')
  const readList = (instruction: string): string[] => JSON.parse(new RegExp(`^${instruction} (?:.* CMD )?(\\[.*\\])$`, 'm').exec(file)![1]!) as string[]
  const inContainer = /^COPY .* (\S+)$/m.exec(file)![1]!
  /** A command of the container with the places that are here. */
  const toHost = (command: readonly string[]): string[] => command.map((word) => word.replace(inContainer, at('files/tripline')).replace(/^\/data$/, at('data/container')))

  test.for(Object.values(programs))('adds less than 60 MB of files of $name to its base image', ({ name }) => {
    const size = measureTree(at(`files/${name}`))
    process.stdout.write(`${name} as files: ${Math.round(size / 1e5) / 10} MB\n`)
    expect(size).toBeLessThan(60_000_000)
  })

  test('runs as no user of the system, writes to /data alone, and its health check is one', async () => {
    expect(/^USER (.*)$/m.exec(file)![1]).toBe('10001:10001')
    execFileSync('chmod', ['-R', 'a-w', at('files/tripline')])
    const command = [...readList('ENTRYPOINT'), ...readList('CMD')].map((word) => word.replace('0.0.0.0:8080', '0.0.0.0:0'))
    const { server } = await start(toHost(command))
    const check = [...toHost(readList('HEALTHCHECK')), '--server', server]
    expect(runAsUser(check)).toMatchObject({ status: 0, stdout: 'ready\n' })
    child?.kill('SIGTERM')
    expect(await once(child!, 'exit')).toEqual([0, null])
    expect(runAsUser(check).status).toBe(66)
    execFileSync('chmod', ['-R', 'u+w', at('files/tripline')])
  })
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

describe.for<[name: string, exposureMax: number]>([['tripline', 2], ['tripline-collector', 3]])('the service %s', ([name, exposureMax]) => {
  test.skipIf(!hasSystemd)('is a unit that systemd takes, and exposes little', () => {
    const path = at(`${name}.service`)
    // systemd checks that the program and the pages of the manual are there.
    const unit = readText(`deploy/systemd/${name}.service`).replaceAll(`/usr/local/bin/${name}`, at(name))
    writeFileSync(path, unit.replace(/^Documentation=.*$/m, ''))
    const verified = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    expect([verified.status, verified.stderr]).toEqual([0, ''])
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])
    process.stdout.write(`the service ${name}: exposure ${exposure} of 10\n`)
    expect(exposure).toBeLessThan(exposureMax)
  })
})

/** A command of a unit, with the places that are here. */
function readUnitCommand(program: ReleasedProgram, directive: string, places: { readonly [path: string]: string }): string[] {
  const line = new RegExp(`^${directive}=(.*)$`, 'm').exec(readText(`deploy/systemd/${program.name}.service`))![1]!
  const all = { [`/usr/local/bin/${program.name}`]: at(program.name), ...places }
  return line.split(' ').map((word) => all[word] ?? word)
}

test('the server starts with the commands of its unit, is ready after the last one, and survives a reload', async () => {
  const config = at('tripline.yml')
  writeFileSync(config, `listen: 127.0.0.1:0\nrules: [${join(examples, 'whoami.yml')}]\n`)
  const readCommand = (directive: string): string[] =>
    readUnitCommand(programs.tripline, directive, { '/etc/tripline/tripline.yml': config, '/var/lib/tripline': at('data/service') })
  expect(runAsUser(readCommand('ExecStartPre'))).toMatchObject({ status: 0, stderr: '' })
  const { server } = await start(readCommand('ExecStart'))
  const post = [...readCommand('ExecStartPost'), '--server', server]
  expect(runAsUser(post)).toMatchObject({ status: 0, stdout: 'ready\n' })
  child?.kill('SIGHUP')
  expect(runAsUser(post)).toMatchObject({ status: 0, stdout: 'ready\n' })
  child?.kill('SIGTERM')
  expect(await once(child!, 'exit')).toEqual([0, null])
})

test('the collector enrols, runs with the commands of its unit, and what it reads is found at the server', async () => {
  const { server } = await start([at('tripline'), 'serve', '--listen', '127.0.0.1:0', '--data-dir', at('data/collected')])
  const ask = async (path: string, body?: object, token?: string): Promise<object> => {
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: `Bearer ${token}` }) }
    return await (await fetch(server + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })).json() as object
  }
  const password = readFileSync(at('data/collected/first-password'), 'utf8').trim()
  const { access_token: token } = await ask('/v1/auth/login', { email: 'admin@localhost', password }) as { access_token: string }
  const { token: enrolmentToken } = await ask('/v1/collectors/enrolment-tokens', { name: 'here' }, token) as { token: string }
  const config = at('etc/collector.yaml')
  mkdirSync(at('etc/sources.d'), { recursive: true })
  writeFileSync(config, `server: { url: ${server} }\ndata_dir: ${at('data/collector')}\n`)
  writeFileSync(at('etc/sources.d/app.yaml'), `type: file\npaths: [${at('app.log')}]\n`)
  writeFileSync(at('app.log'), '{"message":"quokka"}\n')
  const collector = (...args: string[]): string[] => [at('tripline-collector'), ...args, '--config', config]
  expect(runAsUser(collector('enroll', '--token', enrolmentToken))).toMatchObject({ status: 0, stdout: expect.stringContaining('enrolled as here') })
  const readCommand = (directive: string): string[] => readUnitCommand(programs.collector, directive, { '/etc/tripline/collector.yaml': config })
  const [name = '', ...args] = [...asUser, ...readCommand('ExecStart')]
  const running = spawn(name, args, { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    await expect.poll(() => ask('/v1/search?q=quokka', undefined, token)).toMatchObject({ total: 1 })
    expect(runAsUser(readCommand('ExecReload'))).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(runAsUser(collector('status', '--json')).stdout)).toMatchObject({ sources: [{ name: 'app', events_total: 1 }] })
  } finally {
    running.kill('SIGTERM')
  }
  expect(await once(running, 'exit')).toEqual([0, null])
})

test.for<[program: ReleasedProgram, names: readonly string[]]>([
  [programs.tripline, ['@tripline/server', '@tripline/engine', 'hono', 'ws']],
  [programs.collector, ['@tripline/sources', '@tripline/engine', 'zod']],
])('the bill of materials of $0.name lists each package once, with its licence', ([program, expected]) => {
  const { components } = JSON.parse(printSbom(program, at(`files/${program.name}`), '1.2.3')) as { components: { name: string; purl: string; licenses: object[] }[] }
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining([...expected]))
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length)
  expect(components.filter(({ licenses }) => licenses.length === 0)).toEqual([])
  expect(readFileSync(at(`files/${program.name}/package.json`), 'utf8')).toContain('private')
})
