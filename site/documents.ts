import { statSync } from 'node:fs'
import { posix, join } from 'node:path'
import { listFiles, repositoryRoot } from '../tools/workspace.ts'

/** A document as a page: its path below the sources of the site, its text, and the files that it links to. */
type PlacedDocument = { readonly page: string; readonly text: string; readonly files: readonly string[] }

const globs = [
  'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md', 'packages/**/README.md', 'deploy/README.md', 'fixtures/**/README.md',
  'bench/README.md', 'bench/results/*.md', 'site/README.md',
]

/** The documents that are pages of the site. */
export function listDocuments(): readonly string[] {
  return globs.flatMap((glob) => listFiles(glob)).filter((path) => !path.includes('/golden/'))
}

/**
 * Makes a page of a document: a README is the index of its folder. Links to documents lead to their pages, those to other files to
 * copies of them; links to folders without a README are text.
 */
export function placeDocument(path: string, markdown: string, documents: ReadonlySet<string>): PlacedDocument {
  const files: string[] = []
  const text = editProse(markdown, (prose) => prose.replaceAll('{{', '&#123;&#123;').replaceAll(
    /(?<image>!?)\[(?<label>(?:[^\]`]|`[^`]*`)*)\]\((?<target>[^()\s]+)\)/g,
    (whole, image: string, label: string, target: string) => {
      if (/^[a-z]+:|^#/.test(target)) return whole
      const link = resolveLink(path, target, documents)
      if (link.kind === 'file') files.push(link.path)
      return link.kind === 'none' ? label : `${image}[${label}](${link.href})`
    },
  ))
  return { page: toPage(path), text, files }
}

type Link =
  | { readonly kind: 'page' | 'none'; readonly href: string }
  | { readonly kind: 'file'; readonly href: string; readonly path: string }

function resolveLink(from: string, target: string, documents: ReadonlySet<string>): Link {
  const [file = '', anchor] = target.split('#')
  const path = posix.join(posix.dirname(from), file).replace(/\/$/, '')
  const document = [path, `${path}/README.md`].find((candidate) => documents.has(candidate))
  const end = anchor === undefined ? '' : `#${anchor}`
  if (document !== undefined) return { kind: 'page', href: `/${toPage(document).replace(/(?:index)?\.md$/, '')}${end}` }
  if (!statSync(join(repositoryRoot, path)).isFile()) return { kind: 'none', href: '' }
  return { kind: 'file', href: `/${toPublicPath(path)}`, path }
}

/** Extensions that VitePress knows to be no pages. */
const fileExtensions = new Set(['.json', '.png', '.svg', '.ts', '.yaml', '.yml'])

/** Where the copy of a file stands; one with another extension would be taken for a page. */
export function toPublicPath(path: string): string {
  return fileExtensions.has(posix.extname(path)) ? path : `${path}.txt`
}

/** Where a document stands below the sources of the site. */
export function toPage(path: string): string {
  return path.replace(/README(?=\.md$)/, 'index')
}

/** Languages of blocks whose names the highlighter does not know. */
const languages = new Map([['output', 'text'], ['console', 'shellsession'], ['ndjson', 'json'], ['caddyfile', 'text'], ['promql', 'text']])

function renameLanguage(block: string): string {
  return block.replace(/^(`{3,})(\S+)/, (_, fence: string, name: string) => `${fence}${languages.get(name) ?? name}`)
}

/** Changes what of a text is neither a fenced block nor code in a line. */
function editProse(markdown: string, edit: (prose: string) => string): string {
  // A link may have code as its label, so only fenced blocks are taken out.
  return markdown.split(/(^(?:`{3,})[^]*?^`{3,}$)/gm).map((part, index) => (index % 2 === 1 ? renameLanguage(part) : edit(part))).join('')
}
