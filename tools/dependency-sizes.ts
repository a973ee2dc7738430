import { posix } from 'node:path'
import { parseSync } from 'vite'
import type { ESTree } from 'vite'

/**
 * Counts the members of dependency types: aliases whose name ends in `Deps`, and the `App` that wiring opens. It reads the
 * sources alone, and follows intersections, `Pick`, `Omit` and aliases of other files.
 */
export function measureDependencies(files: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const modules = new Map([...files].map(([path, text]) => [path, readTypes(path, text)]))
  const measured = new Map<string, readonly string[]>()
  for (const [path, { aliases }] of modules) {
    for (const [name, type] of aliases) {
      if (name.endsWith('Deps') || name === 'App') measured.set(`${path}: ${name}`, [...new Set(listMembers(modules, path, type))].sort())
    }
  }
  return measured
}

/** The type aliases of a file, and what it imports from others of the tree: the path and the name there. */
type TypeModule = {
  readonly aliases: ReadonlyMap<string, ESTree.TSType>
  readonly imports: ReadonlyMap<string, { readonly path: string; readonly name: string }>
}

function readTypes(path: string, text: string): TypeModule {
  const aliases = new Map<string, ESTree.TSType>()
  const imports = new Map<string, { readonly path: string; readonly name: string }>()
  for (const statement of parseSync(path, text).program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'TSTypeAliasDeclaration') aliases.set(declared.id.name, declared.typeAnnotation)
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('.')) continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ImportSpecifier' || specifier.imported.type !== 'Identifier') continue
      const target = posix.join(posix.dirname(path), statement.source.value)
      imports.set(specifier.local.name, { path: target, name: specifier.imported.name })
    }
  }
  return { aliases, imports }
}

/** @throws Error for a type whose members cannot be counted. */
function listMembers(modules: ReadonlyMap<string, TypeModule>, path: string, type: ESTree.TSType): readonly string[] {
  switch (type.type) {
    case 'TSTypeLiteral':
      return type.members.flatMap((member) => ('key' in member && member.key.type === 'Identifier' ? [member.key.name] : []))
    case 'TSIntersectionType':
      return type.types.flatMap((part) => listMembers(modules, path, part))
    case 'TSParenthesizedType':
      return listMembers(modules, path, type.typeAnnotation)
    case 'TSTypeReference':
      return listReferencedMembers(modules, path, type)
    default:
      throw new Error(`${path}: the members of a ${type.type} cannot be counted; state them in an object type`)
  }
}

function listReferencedMembers(modules: ReadonlyMap<string, TypeModule>, path: string, type: ESTree.TSTypeReference): readonly string[] {
  const name = type.typeName.type === 'Identifier' ? type.typeName.name : ''
  const [of, keys] = type.typeArguments?.params ?? []
  if (name === 'Pick' && keys !== undefined) return listKeys(path, keys)
  if (name === 'Omit' && of !== undefined && keys !== undefined) {
    const omitted = listKeys(path, keys)
    return listMembers(modules, path, of).filter((member) => !omitted.includes(member))
  }
  if (name === 'Partial' && of !== undefined) return listMembers(modules, path, of)
  const { aliases, imports } = modules.get(path) ?? { aliases: new Map(), imports: new Map() }
  const own = aliases.get(name)
  if (own !== undefined) return listMembers(modules, path, own)
  const imported = imports.get(name)
  const target = imported && modules.get(imported.path)?.aliases.get(imported.name)
  if (imported === undefined || target === undefined) throw new Error(`${path}: the members of ${name} cannot be counted`)
  return listMembers(modules, imported.path, target)
}

function listKeys(path: string, type: ESTree.TSType): readonly string[] {
  const parts = type.type === 'TSUnionType' ? type.types : [type]
  return parts.map((part) => {
    if (part.type === 'TSLiteralType' && part.literal.type === 'Literal') return String(part.literal.value)
    throw new Error(`${path}: a key that is picked must be a literal`)
  })
}
