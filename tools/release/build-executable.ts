// Builds the single executable of a program tree with Node's SEA (single executable applications).
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { repositoryRoot } from '../workspace.ts'
import { listTreeFiles } from './program-tree.ts'
import { getProgramPath } from './programs.ts'
import type { ReleasedProgram } from './programs.ts'

type ExecutableOptions = {
  readonly program: ReleasedProgram
  /** Its tree, as `packTree` makes one. */
  readonly tree: Buffer
  /** The Node that the executable is made of; it may be of another processor. */
  readonly node: string
  readonly output: string
}

/** Writes the executable. Takes a Node of this release line to build, whatever the one is that it is made of. */
export function buildExecutable({ program, tree, node, output }: ExecutableOptions): void {
  const work = `${output}.work`
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  mkdirSync(dirname(output), { recursive: true })
  writeFileSync(join(work, 'tree'), tree)
  writeFileSync(join(work, 'program.json'), JSON.stringify({ name: program.name, path: getProgramPath(program) }))
  const executable = join(work, 'node')
  copyFileSync(node, executable)
  // Symbols are a sixth of Node's binary; where there is no strip for its processor, it stays as it is.
  spawnSync('strip', ['--strip-all', executable], { stdio: 'ignore' })
  writeFileSync(join(work, 'sea.json'), JSON.stringify({
    main: join(repositoryRoot, 'tools/release/executable-main.cjs'), executable, output, disableExperimentalSEAWarning: true,
    execArgv: ['--disable-warning=ExperimentalWarning'], execArgvExtension: 'none',
    assets: { tree: join(work, 'tree'), program: join(work, 'program.json') },
  }))
  execFileSync(process.execPath, ['--build-sea', join(work, 'sea.json')], { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(work, { recursive: true })
}

/** All files of a program tree as one: the length of the index, the index as JSON, and the contents one after the other, compressed. */
export function packTree(tree: string): Buffer {
  const files = listTreeFiles(tree).map((path) => ({ path, bytes: readFileSync(join(tree, path)) }))
  const index = Buffer.from(JSON.stringify(files.map(({ path, bytes }) => [path, bytes.length])))
  const head = Buffer.alloc(4)
  head.writeUInt32LE(index.length)
  const whole = Buffer.concat([head, index, ...files.map(({ bytes }) => bytes)])
  return zstdCompressSync(whole, { params: { [constants.ZSTD_c_compressionLevel]: 19 } })
}
