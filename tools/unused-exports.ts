import { posix } from 'node:path'
import { Visitor, parseSync } from 'vite'
import type { ESTree } from 'vite'
import { listFiles, readText } from './workspace.ts'

/** The `exports` of one package: targets from its folder, `./src/index.ts`, by subpath; a `*` stands for any rest. */
export type PackageExports = {
  readonly folder: string
  readonly name: string
  readonly targets: Readonly<Record<string, string>>
}

/** What one module exports, and what it takes from others: names by specifier, `*` for all of them. */
type ModuleNames = {
  readonly declared: readonly string[]
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * Finds names that a file below `src` exports and no other file imports: each as `path: name`, in the order of the files.
 * What an entry point of a package exports or passes on is public and counts as used; an entry point is a file that
 * `exports` of package.json names without a `*`.
 */
export function findUnusedExports(files: ReadonlyMap<string, string>, packages: readonly PackageExports[]): string[] {
  const modules = new Map([...files].map(([path, text]) => [path, readModuleNames(path, text)]))
  const entryPoints = new Set(packages.flatMap(({ folder, targets }) =>
    Object.values(targets).filter((target) => !target.includes('*')).map((target) => posix.join(folder, target))))
  const used = new Map<string, Set<string>>()
  for (const [path, { taken }] of modules) {
    for (const [specifier, names] of taken) {
      const target = resolveSpecifier(path, specifier, packages)
      if (target === undefined) continue
      const usedOfTarget = used.get(target) ?? new Set()
      for (const name of names) usedOfTarget.add(name)
      used.set(target, usedOfTarget)
    }
  }
  return [...modules].flatMap(([path, { declared }]) => {
    const usedHere = used.get(path)
    if (!path.includes('/src/') || /\.test\.tsx?$/.test(path) || entryPoints.has(path) || usedHere?.has('*') === true) return []
    return declared.filter((name) => usedHere?.has(name) !== true).map((name) => `${path}: ${name}`)
  })
}

/** Names that a module declares and exports; what it passes on is not counted. */
export function listExports(path: string, text: string): readonly string[] {
  return readModuleNames(path, text).declared
}

function readModuleNames(path: string, text: string): ModuleNames {
  const declared = new Set<string>()
  const taken = new Map<string, Set<string>>()
  const take = (specifier: string, name: string): void => {
    taken.set(specifier, (taken.get(specifier) ?? new Set()).add(name))
  }
  new Visitor({
    ImportDeclaration: ({ source, specifiers }) => {
      for (const specifier of specifiers) {
        take(source.value, specifier.type === 'ImportSpecifier' ? readName(specifier.imported) : '*')
      }
    },
    ExportAllDeclaration: ({ source }) => { take(source.value, '*') },
    ExportNamedDeclaration: ({ declaration, source, specifiers }) => {
      if (source !== null) for (const { local } of specifiers) take(source.value, readName(local))
      for (const name of listDeclared(declaration)) declared.add(name)
    },
    TSImportType: ({ source, qualifier }) => { take(source.value, qualifier?.type === 'Identifier' ? qualifier.name : '*') },
    // What becomes of a module that is imported while the program runs is not followed.
    ImportExpression: ({ source }) => {
      if (source.type === 'Literal' && typeof source.value === 'string') take(source.value, '*')
    },
  }).visit(parseSync(path, text).program)
  return { declared: [...declared], taken }
}

function readName(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}

function listDeclared(declaration: ESTree.Declaration | null): string[] {
  if (declaration === null) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  }
  return 'id' in declaration && declaration.id?.type === 'Identifier' ? [declaration.id.name] : []
}

/** The file that a specifier names, by path or by the `exports` of a package; undefined where it is not one of ours. */
export function resolveSpecifier(path: string, specifier: string, packages: readonly PackageExports[]): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  const owner = packages.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`))
  if (owner === undefined) return undefined
  const subpath = `.${specifier.slice(owner.name.length)}`
  const exact = owner.targets[subpath]
  if (exact !== undefined) return posix.join(owner.folder, exact)
  // As in Node, the pattern with the longest text before its `*` decides.
  const [pattern, target] = Object.entries(owner.targets)
    .filter(([key]) => key.endsWith('*') && subpath.startsWith(key.slice(0, -1)))
    .sort(([one], [other]) => other.length - one.length)[0] ?? []
  if (pattern === undefined || target === undefined) return undefined
  return posix.join(owner.folder, target.replace('*', subpath.slice(pattern.length - 1)))
}

/** The `exports` of all packages, from their package.json. */
export function readPackageExports(): PackageExports[] {
  return listFiles('packages/*/package.json').map((path) => {
    const { name, exports } = JSON.parse(readText(path)) as { name: string; exports: Record<string, string> }
    return { folder: posix.dirname(path), name, targets: exports }
  })
}
