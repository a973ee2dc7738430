// Makes everything that a release consists of, and publishes nothing:
//
//   npm run release -- [--version VERSION] [FOLDER]
//
// With --version it first writes that version into all manifests and heads the unreleased part of the changelog with it; commit
// both. In FOLDER (`dist/release` if not given; it is emptied first) stand then: the packed packages, and of each program its
// tree of files, executables for Linux on x64 and arm64 and its software bill of materials; then the files of deploy/, the changes
// of the release, and the checksums of all.
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readText, repositoryRoot } from '../workspace.ts'
import { buildExecutable, packTree } from './build-executable.ts'
import { packAll } from './pack.ts'
import { printSbom } from './print-sbom.ts'
import { buildProgramTree, listTreeFiles } from './program-tree.ts'
import { programs } from './programs.ts'
import { findRuntime } from './runtimes.ts'
import { findChanges, setVersion } from './set-version.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { version: { type: 'string' } } })
if (values.version !== undefined) setVersion(values.version, new Date())
const { version } = JSON.parse(readText('packages/cli/package.json')) as { readonly version: string }
const folder = resolve(positionals[0] ?? join(repositoryRoot, 'dist/release'))
const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const packed = packAll(join(folder, 'packages'))
for (const released of Object.values(programs)) {
  const tree = join(folder, 'programs', released.name)
  await buildProgramTree(released, packed, tree)
  const packedTree = packTree(tree)
  for (const processor of ['x64', 'arm64'] as const) {
    const output = join(folder, `${released.name}-${version}-linux-${processor}`)
    buildExecutable({ program: released, tree: packedTree, node: findRuntime(`executable-${processor}`), output })
  }
  write(`${released.name}.cdx.json`, printSbom(released, tree, version))
}
cpSync(join(repositoryRoot, 'deploy'), join(folder, 'deploy'), { recursive: true })
write(`changes-${version}.md`, findChanges(readText('CHANGELOG.md'), version))
write('SHA256SUMS', listTreeFiles(folder).filter((path) => !path.startsWith('programs/')).map((path) => {
  return `${createHash('sha256').update(readFileSync(join(folder, path))).digest('hex')}  ${path}\n`
}).join(''))
process.stdout.write(`${folder}\n`)
