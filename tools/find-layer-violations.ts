import { posix } from 'node:path'
import { readSourceModule } from './source-module.ts'
import type { Import, SourceModule } from './source-module.ts'

/** What the files of one room may import. A room is a folder or a file of a package's `src`; `.` is its top. */
export type Room = {
  /** Rooms of the same package; a room may always use itself. */
  readonly uses: readonly string[]
  /** Other packages and Node's own modules, by specifier; a `*` at the end stands for any rest: `node:*`, `@tripline/common/*`. */
  readonly packages?: readonly string[]
  /** Packages of which only types may be imported, likewise. */
  readonly types?: readonly string[]
}

export type PackageLayers = {
  /** Whether the sources must run without a clock, files, a network or any Node API. */
  readonly isPure: boolean
  readonly rooms: { readonly [room: string]: Room }
}

/** The allowed arrows, by folder of the package: `packages/engine`. */
export type LayerTable = { readonly [packageFolder: string]: PackageLayers }

type SourceFile = SourceModule & { readonly path: string; readonly packageFolder: string; readonly isTest: boolean }

/**
 * Compares the imports of a tree of sources with the table.
 * `files` maps paths from the repository's root to texts; what it answers are sentences, none when all is well.
 */
export function findViolations(files: ReadonlyMap<string, string>, table: LayerTable): string[] {
  const sources = [...files].map(([path, text]) => readSourceFile(path, text))
  return [
    ...sources.flatMap((source) => findFileViolations(source, table)),
    ...findEmptyRows(sources, table),
    ...findCycles(sources).map((cycle) => `${cycle.join(' imports ')}: a cycle`),
  ]
}

function readSourceFile(path: string, text: string): SourceFile {
  const packageFolder = path.split('/').slice(0, 2).join('/')
  const isTest = /\.test\.tsx?$/.test(path) || path.startsWith(`${packageFolder}/test/`)
  return { path, packageFolder, isTest, ...readSourceModule(path, text) }
}

function findFileViolations(source: SourceFile, table: LayerTable): string[] {
  const layers = table[source.packageFolder]
  if (layers === undefined) return [`${source.path}: the table has no row for the package ${source.packageFolder}`]
  if (source.isTest) return source.imports.flatMap((imported) => checkPackageBoundary(source, imported))
  const roomName = findRoom(source, layers)
  const room = roomName === undefined ? undefined : layers.rooms[roomName]
  if (roomName === undefined || room === undefined) return [`${source.path}: the table has no row for it`]
  const ambient = layers.isPure ? source.ambient : []
  return [
    ...ambient.map((name) => `${source.path} uses ${name}, but ${source.packageFolder} is pure`),
    ...source.imports.flatMap((imported) =>
      imported.specifier.startsWith('.')
        ? checkRelativeImport(source, imported, layers, roomName, room)
        : checkPackageImport(source, imported, roomName, room)),
  ]
}

function checkRelativeImport(
  source: SourceFile, imported: Import, layers: PackageLayers, roomName: string, room: Room,
): string[] {
  const leaving = checkPackageBoundary(source, imported)
  // Styles import nothing, so they have no row.
  if (leaving.length > 0 || imported.specifier.endsWith('.css')) return leaving
  const target = readSourceFile(resolveImport(source, imported), '')
  if (target.isTest) return [`${source.path} imports ${target.path}: only tests may import tests`]
  const targetRoom = findRoom(target, layers)
  if (targetRoom === roomName || (targetRoom !== undefined && room.uses.includes(targetRoom))) return []
  return [`${source.path} imports ${target.path}: '${roomName}' may not use '${targetRoom ?? 'a room without a row'}'`]
}

function checkPackageImport(source: SourceFile, imported: Import, roomName: string, room: Room): string[] {
  const { specifier, isType } = imported
  if (isListed(specifier, room.packages) || (isType && isListed(specifier, room.types))) return []
  return [`${source.path} imports ${specifier}: '${roomName}' may not use it`]
}

function isListed(specifier: string, allowed: readonly string[] = []): boolean {
  return allowed.some((name) => (name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : specifier === name))
}

/** A relative path out of the package goes around its `exports`. */
function checkPackageBoundary(source: SourceFile, imported: Import): string[] {
  if (!imported.specifier.startsWith('.')) return []
  const target = resolveImport(source, imported)
  if (target.startsWith(`${source.packageFolder}/`)) return []
  return [`${source.path} imports ${target}: a path may not leave its package`]
}

function resolveImport(source: SourceFile, imported: Import): string {
  return posix.join(posix.dirname(source.path), imported.specifier)
}

/** The row of a file: its own, else that of the nearest folder above it; `.` is the folder `src` without its folders. */
function findRoom(source: SourceFile, { rooms }: PackageLayers): string | undefined {
  const pathInside = source.path.slice(`${source.packageFolder}/src/`.length)
  if (pathInside in rooms) return pathInside
  let folder = posix.dirname(pathInside)
  while (folder !== '.' && !(folder in rooms)) folder = posix.dirname(folder)
  return folder !== '.' || (!pathInside.includes('/') && '.' in rooms) ? folder : undefined
}

/** Rows that speak of nothing: the table is the documentation, so it may not keep them. */
function findEmptyRows(sources: readonly SourceFile[], table: LayerTable): string[] {
  return Object.entries(table).flatMap(([packageFolder, layers]) => {
    const inhabited = new Set(
      sources.filter((source) => source.packageFolder === packageFolder && !source.isTest)
        .map((source) => findRoom(source, layers)))
    return Object.keys(layers.rooms)
      .filter((room) => !inhabited.has(room))
      .map((room) => `${packageFolder}: the row '${room}' has no file`)
  })
}

/** Cycles of imports that exist at run time, each as the paths around it, the first one repeated at the end. */
function findCycles(sources: readonly SourceFile[]): string[][] {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const finished = new Set<string>()
  const cycles: string[][] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const source = byPath.get(path)
    if (source === undefined || finished.has(path)) return
    const seenAt = trail.indexOf(path)
    if (seenAt !== -1) {
      cycles.push([...trail.slice(seenAt), path])
      return
    }
    for (const imported of source.imports) {
      if (!imported.isType && imported.specifier.startsWith('.')) visit(resolveImport(source, imported), [...trail, path])
    }
    finished.add(path)
  }
  for (const source of sources) visit(source.path, [])
  return cycles
}
