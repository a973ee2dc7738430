// Moves folders of sources to other packages and rewrites what imports them:
//
//   node tools/move-sources.ts
//
// The moves are the table below. A file that is at its new place already is only rewritten, so that a branch from before a move
// is mended by the same command after a rebase.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { listFiles, readText, repositoryRoot } from './workspace.ts'

/** From a file or folder to its new place, both from the repository's root; the longest that fits counts. */
const moves: readonly (readonly [from: string, to: string])[] = [
  ['packages/server/src/model', 'packages/model/src'],
  ['packages/server/src/state', 'packages/state/src'],
  ['packages/server/test/state', 'packages/state/test'],
  ['packages/server/src/detection', 'packages/detection/src'],
  ['packages/server/src/detection/enrichment/observables-of-shapes.test.ts', 'packages/server/test/observables-of-shapes.test.ts'],
  ['packages/server/src/fairness', 'packages/detection/src/fairness'],
  ['packages/server/test/detection', 'packages/detection/test'],
  ['packages/server/test/detection/metered-bus.test.ts', 'packages/server/test/metered-bus.test.ts'],
  ['packages/server/test/fairness', 'packages/detection/test/fairness'],
  ['packages/server/test/rules.ts', 'packages/detection/test/rules.ts'],
  ['packages/server/src/runtime/runtime.ts', 'packages/common/src/runtime.ts'],
]

/** Limits of a file that moved are in its new package. */
const serverLimits = 'packages/server/src/limits.ts'

const resolve = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier)
const packageOf = (path: string): string | undefined => /^packages\/([^/]+)\//.exec(path)?.[1]

const sourceGlob = '{packages/*/{src,test},tools,bench}/**/*.ts'

function moveFiles(): void {
  for (const [from, to] of moves.toSorted(([one], [other]) => other.length - one.length)) {
    for (const path of [...listFiles(from), ...listFiles(`${from}/**/*`)]) {
      const target = to + path.slice(from.length)
      mkdirSync(join(repositoryRoot, dirname(target)), { recursive: true })
      run('git', ['mv', '-k', path, target])
    }
  }
}

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: repositoryRoot, stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`)
}

const toNew = (path: string): string => replacePrefix(path, moves)
const toOld = (path: string): string => replacePrefix(path, moves.map(([from, to]) => [to, from]))

function replacePrefix(path: string, table: readonly (readonly [from: string, to: string])[]): string {
  const [best] = table.filter(([from]) => path === from || path.startsWith(`${from}/`)).sort(([one], [other]) => other.length - one.length)
  return best === undefined ? path : best[1] + path.slice(best[0].length)
}

function isFile(path: string): boolean {
  const full = join(repositoryRoot, path)
  return existsSync(full) && statSync(full).isFile()
}

/** The specifier as it must be now, or the same one if it leads somewhere. */
function rewriteSpecifier(path: string, specifier: string): string {
  const [, packageName, rest] = /^@tripline\/([a-z-]+)\/(.+)$/.exec(specifier) ?? []
  if (packageName !== undefined && rest !== undefined) {
    const folder = rest.startsWith('test/') ? '' : 'src/'
    const written = `packages/${packageName}/${folder}${rest}.ts`
    const target = toNew(written)
    return target === written || isFile(written) ? specifier : printSpecifier(path, target)
  }
  if (isFile(resolve(path, specifier))) return specifier
  for (const base of [toOld(path), path]) {
    const old = resolve(base, specifier)
    const isOwnLimits = old === serverLimits && packageOf(path) !== 'server'
    const target = isOwnLimits ? `packages/${packageOf(path)}/src/limits.ts` : toNew(old)
    if (isFile(target)) return printSpecifier(path, target)
  }
  process.stderr.write(`${path}: '${specifier}' leads nowhere\n`)
  return specifier
}

function printSpecifier(path: string, target: string): string {
  const packageName = packageOf(target)
  if (packageName === packageOf(path) || packageOf(path) === undefined) {
    const relative = posix.relative(posix.dirname(path), target)
    return relative.startsWith('.') ? relative : `./${relative}`
  }
  const inside = target.slice(`packages/${packageName}/`.length).replace(/^src\//, '').replace(/\.ts$/, '')
  return `@tripline/${packageName}/${inside}`
}

/** Rewrites specifiers; in a file where one changed, imports of packages come first, sorted, and the others keep their order. */
function rewriteImports(path: string): void {
  const text = readText(path)
  const pattern = /(\bfrom |\bimport\(|\bimport |\bnew URL\()'((?:\.{1,2}\/[^']+\.ts)|(?:@tripline\/[^']+\/[^']+))'/g
  const rewritten = text.replaceAll(pattern, (_, before: string, specifier: string) => `${before}'${rewriteSpecifier(path, specifier)}'`)
  if (rewritten !== text) writeFileSync(join(repositoryRoot, path), sortImports(rewritten))
}

function sortImports(text: string): string {
  return text.replace(/(?:^import (?:[^'\n]|\n(?! *import))+'[^']+'\n)+/m, (block) => {
    const statements = block.match(/^import (?:[^'\n]|\n(?! *import))+'[^']+'\n/gm) ?? []
    const specifierOf = (statement: string): string => /'([^']+)'\n$/.exec(statement)?.[1] ?? ''
    const isOurs = (statement: string): boolean => specifierOf(statement).startsWith('@tripline/')
    const isRelative = (statement: string): boolean => specifierOf(statement).startsWith('.')
    const outside = statements.filter((statement) => !isRelative(statement))
    const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
    const ordered = outside.filter(isOurs).sort((one, other) => compare(specifierOf(one), specifierOf(other)))
    const others = outside.filter((statement) => !isOurs(statement))
    const isBefore = (statement: string): boolean => specifierOf(statement) < '@tripline/'
    return [...others.filter(isBefore), ...ordered, ...others.filter((one) => !isBefore(one)), ...statements.filter(isRelative)].join('')
  })
}

moveFiles()
for (const path of listFiles(sourceGlob)) rewriteImports(path)
