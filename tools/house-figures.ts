import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readSourceModule } from './source-module.ts'
import { findUnusedExports, listExports, readPackageExports, resolveSpecifier } from './unused-exports.ts'
import type { PackageExports } from './unused-exports.ts'
import { listFiles, readText } from './workspace.ts'

/** The size and shape of the code: `node tools/house-figures.ts` prints it, and a test keeps it from getting worse. */
export type HouseFigures = {
  /** Lines of code and tests, by package. */
  readonly linesOfPackages: ReadonlyMap<string, number>
  /** Lines of code and tests of the folders right below `src`, by `package/folder`. */
  readonly linesOfRooms: ReadonlyMap<string, number>
  /** Source files right in a folder, tests not counted. */
  readonly filesOfFolders: ReadonlyMap<string, number>
  readonly lineCount: number
  /** Lines of code behind each exported name. */
  readonly linesPerExport: number
  /** Names that more than one file exports, with the files; not `limits`, the name of each package's table of limits. */
  readonly repeatedExports: ReadonlyMap<string, readonly string[]>
  /** Exports that no other file imports, as `path: name`. */
  readonly unusedExports: readonly string[]
  /** Groups of files that import each other, imports of types counted. */
  readonly cycles: readonly (readonly string[])[]
}

/** One word for one thing in each package, which the tools that print the tables rely on. */
const namesOfEachPackage = new Set(['limits'])

/**
 * Measures a tree of sources: texts by path from the repository's root. `users` are files outside of it that import
 * from it, and `packages` say which files their specifiers name.
 */
export function measureHouse(
  files: ReadonlyMap<string, string>, users: ReadonlyMap<string, string>, packages: readonly PackageExports[],
): HouseFigures {
  const linesOfPackages = new Map<string, number>()
  const linesOfRooms = new Map<string, number>()
  const filesOfFolders = new Map<string, number>()
  const exportsByName = new Map<string, string[]>()
  let sourceLineCount = 0
  for (const [path, text] of files) {
    const lineCount = text.split('\n').length - 1
    add(linesOfPackages, path.split('/').slice(0, 2).join('/'), lineCount)
    const [, packageFolder, room] = /^(packages\/[^/]+)\/src\/([^/]+)\//.exec(path) ?? []
    if (packageFolder !== undefined) add(linesOfRooms, `${packageFolder}/${room}`, lineCount)
    if (/\.test\.tsx?$/.test(path)) continue
    add(filesOfFolders, posix.dirname(path), 1)
    if (!path.includes('/src/')) continue
    sourceLineCount += lineCount
    // The console runs in browsers and no package imports it: its names are compared among themselves.
    const program = path.startsWith('packages/console/') ? 'console ' : ''
    for (const name of listExports(path, text)) {
      exportsByName.set(program + name, [...exportsByName.get(program + name) ?? [], path])
    }
  }
  const exportCount = [...exportsByName.values()].reduce((sum, paths) => sum + paths.length, 0)
  return {
    linesOfPackages, linesOfRooms, filesOfFolders,
    lineCount: [...linesOfPackages.values()].reduce((sum, lines) => sum + lines, 0),
    linesPerExport: sourceLineCount / exportCount,
    repeatedExports: new Map([...exportsByName].filter(([name, paths]) => paths.length > 1 && !namesOfEachPackage.has(name))),
    unusedExports: findUnusedExports(new Map([...files, ...users]), packages),
    cycles: findCyclicGroups(files, packages),
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** Strongly connected components of more than one file, by Tarjan's algorithm. */
function findCyclicGroups(files: ReadonlyMap<string, string>, packages: readonly PackageExports[]): string[][] {
  const arrows = new Map([...files].map(([path, text]) => {
    const targets = readSourceModule(path, text).imports.flatMap(({ specifier }) => resolveSpecifier(path, specifier, packages) ?? [])
    return [path, targets.filter((target) => files.has(target))]
  }))
  const indexes = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const groups: string[][] = []
  const visit = (path: string): number => {
    const index = indexes.size
    indexes.set(path, index)
    open.push(path)
    let low = index
    for (const target of arrows.get(path) ?? []) {
      if (!indexes.has(target)) low = Math.min(low, visit(target))
      else if (open.includes(target)) low = Math.min(low, indexes.get(target) ?? low)
    }
    lowest.set(path, low)
    if (low === index) {
      const group = open.splice(open.indexOf(path))
      if (group.length > 1) groups.push(group.sort())
    }
    return low
  }
  for (const path of arrows.keys()) if (!indexes.has(path)) visit(path)
  return groups
}

/** Measures the sources and tests of all packages, used also by the benchmarks and tools. */
export function measureRepository(): HouseFigures {
  return measureHouse(readTexts('packages/*/{src,test}/**/*.{ts,tsx}'), readTexts('{bench,tools}/**/*.ts'), readPackageExports())
}

function readTexts(glob: string): Map<string, string> {
  return new Map(listFiles(glob).map((path) => [path, readText(path)]))
}

/** The figures as lines of text, largest first. */
export function printFigures(figures: HouseFigures): string {
  const { lineCount } = figures
  const share = (lines: number): string => `${((100 * lines) / lineCount).toFixed(1)} %`.padStart(7)
  const printLargest = (counts: ReadonlyMap<string, number>, max: number, print: (count: number) => string): string[] =>
    [...counts].sort(([, one], [, other]) => other - one).slice(0, max).map(([name, count]) => `${print(count)}  ${name}`)
  return [
    `${lineCount} lines in packages`,
    ...printLargest(figures.linesOfPackages, 20, (lines) => `${share(lines)} ${String(lines).padStart(6)}`),
    'largest rooms',
    ...printLargest(figures.linesOfRooms, 12, (lines) => `${share(lines)} ${String(lines).padStart(6)}`),
    'folders with the most source files',
    ...printLargest(figures.filesOfFolders, 8, (count) => String(count).padStart(7)),
    `${figures.linesPerExport.toFixed(1)} lines for each exported name`,
    `${figures.repeatedExports.size} names exported by several files`,
    ...[...figures.repeatedExports].map(([name, paths]) => `  ${name}: ${paths.join(', ')}`),
    `${figures.unusedExports.length} exports that no other file imports`,
    ...figures.unusedExports.map((unused) => `  ${unused}`),
    `${figures.cycles.length} groups of files that import each other`,
    ...figures.cycles.map((group) => `  ${group.length} files: ${group.slice(0, 40).join(', ')}`),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${printFigures(measureRepository())}\n`)
