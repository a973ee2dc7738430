import { basename, dirname, posix } from 'node:path'
import { listFiles, readText } from '../tools/workspace.ts'
import { toPage } from './documents.ts'

/** A page that is made of sources. */
type Page = { readonly page: string; readonly text: string }

/** An example of a public function or class: its package, its name in kebab-case, its text and what it prints. */
export type ApiExample = { readonly package: string; readonly name: string; readonly path: string; readonly output: string }

/** Lists the examples, one for each page of the API. */
export function listExamples(): readonly ApiExample[] {
  return listFiles('site/examples/*/*.ts').map((path) => {
    return { package: basename(dirname(path)), name: basename(path, '.ts'), path, output: readText(path.replace(/\.ts$/, '.out')) }
  })
}

/** The pages of the public functions and classes: what the docstring says, the signature, an example with what it prints. */
export function apiPages(): readonly Page[] {
  const examples = listExamples()
  const pages = examples.map((example) => ({ page: `api/${example.package}/${example.name}.md`, text: printPage(example) }))
  return [...pages, { page: toPage('api/README.md'), text: printIndex(examples) }]
}

function printIndex(examples: readonly ApiExample[]): string {
  const parts = Map.groupBy(examples, (example) => example.package)
  const lists = [...parts].map(([name, own]) => {
    const rows = own.map((example) => {
      const { symbol, summary } = describe(example)
      return `- [\`${symbol}\`](/api/${name}/${example.name}): ${summary}`
    })
    return `## @tripline/${name}\n\n${rows.join('\n')}\n`
  })
  return `# API\n\nEvery example on these pages is run by a test, and so is what it prints.\n\n${lists.join('\n')}`
}

function printPage(example: ApiExample): string {
  const { symbol, specifier, docstring, declaration } = describe(example)
  return `# ${symbol}

\`\`\`ts
import { ${symbol} } from '${specifier}'
\`\`\`

${escapeProse(docstring)}

\`\`\`ts
${declaration}
\`\`\`

## Example

\`\`\`ts
${readText(example.path).trim()}
\`\`\`

prints

\`\`\`text
${example.output.trim()}
\`\`\`
`
}

type Declared = {
  readonly symbol: string
  readonly specifier: string
  readonly docstring: string
  readonly summary: string
  readonly declaration: string
}

/** Entries of packages other than their index. */
const entries: { readonly [name: string]: readonly (readonly [suffix: string, file: string])[] } = {
  query: [['', 'index.ts'], ['/sql', 'sql-index.ts']],
}

/** Finds what an example shows among the exports of its package. @throws Error if nothing there has the name. */
function describe(example: ApiExample): Declared {
  for (const [suffix, file] of entries[example.package] ?? [['', 'index.ts']] as const) {
    const index = `packages/${example.package}/src/${file}`
    for (const [, names = '', from = ''] of readText(index).matchAll(/^export \{ ([^}]+) \} from '([^']+)'/gm)) {
      const symbol = names.split(/,\s*/).find((name) => toKebab(name) === example.name)
      if (symbol === undefined) continue
      const ofOthers = `packages/${from.replace('@tripline/', '').replace('/', '/src/')}.ts`
      const path = from.startsWith('.') ? posix.join(posix.dirname(index), from) : ofOthers
      const { docstring, declaration } = readDeclaration(readText(path), symbol, path)
      const [summary = ''] = docstring.replaceAll('\n', ' ').split(/(?<=\.) /)
      return { symbol, specifier: `@tripline/${example.package}${suffix}`, docstring, summary: escapeProse(summary), declaration }
    }
  }
  throw new Error(`${example.path} shows nothing that @tripline/${example.package} exports`)
}

/** A public member of a class: its docstring, and its head up to the body or value. */
const memberPattern =
  /^ {2}(?<doc>\/\*\*(?:(?!\*\/)[^])*\*\/\n {2})?(?<head>(?:get |async |static |readonly )?[a-z]\w*(?=[(<: ])[^]*?)(?: \{| =|)$/gm

/** The docstring of a declaration and its head; of a class the heads of its public members with theirs. */
function readDeclaration(source: string, symbol: string, path: string): { readonly docstring: string; readonly declaration: string } {
  const pattern = new RegExp(`(?<doc>/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (?:async )?(?<kind>function\\*?|class) ${symbol}\\b`)
  const found = pattern.exec(source)
  if (found?.groups === undefined) throw new Error(`${path} declares no function or class '${symbol}'`)
  const { doc = '', kind } = found.groups
  const start = found.index + doc.length
  if (kind !== 'class') return { docstring: cleanDocstring(doc), declaration: source.slice(start, findBody(source, start)).trim() }
  const end = source.indexOf('\n}\n', start)
  const body = source.slice(start, end)
  const head = body.slice(0, body.indexOf('{\n')).trim()
  const members = [...body.matchAll(memberPattern)]
    .filter(({ groups }) => !/^(?:if|for|return|while|switch|private)\b/.test(groups?.['head'] ?? ''))
    .map(({ groups }) => `${groups?.['doc'] ?? ''}${groups?.['head'] ?? ''}`.replaceAll(/^ {2}/gm, '').trim())
  const declaration = [`${head} {`, ...members.map((member) => member.replaceAll(/^/gm, '  ')), '}'].join('\n')
  return { docstring: cleanDocstring(doc), declaration }
}

/** Where the body of a function begins: the first brace that ends its line outside all brackets. */
function findBody(source: string, start: number): number {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    const character = source[at]
    if (character === '{' && source[at + 1] === '\n' && depth === 0) return at
    if (character !== undefined && '([{'.includes(character)) depth++
    if (character !== undefined && ')]}'.includes(character)) depth--
  }
  return source.length
}

function cleanDocstring(doc: string): string {
  const lines = doc.split('\n').map((line) => line.replace(/^\s*(?:\/\*\* ?|\*\/|\* ?)/, '').replace(/\s*\*\/\s*$/, ''))
  return lines.join('\n').replaceAll(/^@throws/gm, '**Throws**').trim()
}

/** What a page would take for a tag or an expression. Fenced blocks of a docstring are left as they are. */
function escapeProse(text: string): string {
  const escape = (prose: string): string => prose.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')
  return text.split(/(^```[^]*?^```$)/gm).map((part, index) => (index % 2 === 1 ? part : escape(part))).join('')
}

function toKebab(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter}`).toLowerCase()
}
