import { Visitor, parseSync } from 'vite'
import type { ESTree } from 'vite'

/** One module that another one names: `from './pattern.ts'`. */
export type Import = {
  readonly specifier: string
  /** Whether nothing of it is left at run time. */
  readonly isType: boolean
}

/** What the checks of the house want to know of a source file. */
export type SourceModule = {
  /** In the order they stand in the file; also re-exports, `import()` and `new URL('./x.ts', import.meta.url)`. */
  readonly imports: readonly Import[]
  /** Ambient things the module reaches for, as written: `process.env`, `Date.now`. */
  readonly ambient: readonly string[]
}

/** Names that a pure module does not use: each is a door to the clock, the machine or the network. */
const ambientNames = new Set([
  'process', 'Buffer', 'console', 'performance', 'crypto', 'fetch', 'navigator', 'WebSocket', 'require',
  'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'globalThis', '__dirname', '__filename',
])
const ambientMembers = new Set(['Date.now', 'Math.random'])

/** Parses one TypeScript file; throws where it is not one. */
export function readSourceModule(path: string, text: string): SourceModule {
  const { program, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  const imports: Import[] = []
  const ambient: string[] = []
  new Visitor({
    ImportDeclaration: (node) => { imports.push(toImport(node.source, node.importKind === 'type')) },
    ExportAllDeclaration: (node) => { imports.push(toImport(node.source, node.exportKind === 'type')) },
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) imports.push(toImport(node.source, node.exportKind === 'type'))
    },
    TSImportType: (node) => { imports.push(toImport(node.source, true)) },
    ImportExpression: (node) => { imports.push({ specifier: readSpecifier(node.source), isType: false }) },
    NewExpression: (node) => {
      const url = findModuleUrl(node)
      if (url !== undefined) imports.push({ specifier: url, isType: false })
      if (isIdentifierIn(node.callee, ambientNames)) ambient.push(`new ${node.callee.name}`)
      if (isIdentifierIn(node.callee, new Set(['Date'])) && node.arguments.length === 0) ambient.push('new Date()')
    },
    CallExpression: (node) => {
      if (isIdentifierIn(node.callee, ambientNames)) ambient.push(node.callee.name)
    },
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier') return
      const member = `${node.object.name}.${node.property.type === 'Identifier' ? node.property.name : '?'}`
      if (ambientNames.has(node.object.name) || ambientMembers.has(member)) ambient.push(member)
    },
  }).visit(program)
  return { imports, ambient }
}

function toImport(source: ESTree.StringLiteral, isType: boolean): Import {
  return { specifier: source.value, isType }
}

/** The text of a specifier; a computed one becomes `?`, which no table allows. */
function readSpecifier(node: ESTree.Expression | ESTree.SpreadElement): string {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : '?'
}

/** `./worker.ts` of `new URL('./worker.ts', import.meta.url)`: how workers name their module. */
function findModuleUrl(node: ESTree.NewExpression): string | undefined {
  const [path, base] = node.arguments
  if (!isIdentifierIn(node.callee, new Set(['URL'])) || path === undefined) return undefined
  if (base?.type !== 'MemberExpression' || base.object.type !== 'MetaProperty') return undefined
  // A worker's module is the source or, once built, what became of it: the source is the arrow.
  const specifiers = path.type === 'ConditionalExpression' ? [path.consequent, path.alternate] : [path]
  return specifiers.map(readSpecifier).find((specifier) => specifier.endsWith('.ts'))
}

function isIdentifierIn(node: ESTree.Expression, names: ReadonlySet<string>): node is ESTree.IdentifierReference {
  return node.type === 'Identifier' && names.has(node.name)
}
