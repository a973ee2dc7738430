import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Visitor, parseSync } from 'vite'
import { readSourceModule } from './source-module.ts'
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
  /** Names that more than one file exports, with the files. */
  readonly repeatedExports: ReadonlyMap<string, readonly string[]>
  /** Groups of files that import each other, imports of types counted. */
  readonly cycles: readonly (readonly string[])[]
}

/** Measures a tree of sources: texts by path from the repository's root. */
export function measureHouse(files: ReadonlyMap<string, string>): HouseFigures {
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
    if (path.endsWith('.test.ts')) continue
    add(filesOfFolders, posix.dirname(path), 1)
    if (!path.includes('/src/')) continue
    sourceLineCount += lineCount
    for (const name of listExports(path, text)) exportsByName.set(name, [...exportsByName.get(name) ?? [], path])
  }
  const exportCount = [...exportsByName.values()].reduce((sum, paths) => sum + paths.length, 0)
  return {
    linesOfPackages, linesOfRooms, filesOfFolders,
    lineCount: [...linesOfPackages.values()].reduce((sum, lines) => sum + lines, 0),
    linesPerExport: sourceLineCount / exportCount,
    repeatedExports: new Map([...exportsByName].filter(([, paths]) => paths.length > 1)),
    cycles: findCyclicGroups(files),
  }
}

function add(counts: Map<string, number>, key: string, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count)
}

/** Names that a file declares and exports; re-exports are not counted. */
function listExports(path: string, text: string): string[] {
  const names: string[] = []
  new Visitor({
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration === null) return
      if (declaration.type === 'VariableDeclaration') {
        names.push(...declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : [])))
      } else if ('id' in declaration && declaration.id?.type === 'Identifier') names.push(declaration.id.name)
    },
  }).visit(parseSync(path, text).program)
  return [...new Set(names)]
}

/** Strongly connected components of more than one file, by Tarjan's algorithm. */
function findCyclicGroups(files: ReadonlyMap<string, string>): string[][] {
  const arrows = new Map([...files].map(([path, text]) => {
    const targets = readSourceModule(path, text).imports.flatMap(({ specifier }) => resolve(path, specifier))
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

/** The file that an import names; packages whose every file is an export are followed. */
function resolve(path: string, specifier: string): string[] {
  if (specifier.startsWith('.')) return [posix.join(posix.dirname(path), specifier)]
  const [, name, rest] = /^@tripline\/(common|contract|formats|storage)\/(.+)$/.exec(specifier) ?? []
  if (name === undefined || rest === undefined) return []
  return [`packages/${name}/${rest.startsWith('test/') ? rest : `src/${rest}`}.ts`]
}

/** The sources and tests of all packages. */
export function readPackages(): Map<string, string> {
  return new Map(listFiles('packages/*/{src,test}/**/*.ts').map((path) => [path, readText(path)]))
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
    `${figures.cycles.length} groups of files that import each other`,
    ...figures.cycles.map((group) => `  ${group.length} files: ${group.slice(0, 40).join(', ')}`),
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(`${printFigures(measureHouse(readPackages()))}\n`)
