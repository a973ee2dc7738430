import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import config from './.vitepress/config.ts'
import { listExamples } from './api-pages.ts'
import { listDocuments, placeDocument } from './documents.ts'

// The site, built as a reader would get it: every link leads somewhere, the search knows every page, nothing comes from elsewhere.

const folder = mkdtempSync(join(tmpdir(), 'tripline-site-'))
let pages: ReadonlyMap<string, string>

beforeAll(() => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'build-site.ts'), folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the site was not built: ${stdout}${stderr}`)
  pages = new Map(globSync('**/*.html', { cwd: folder }).map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}, 900_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value.replaceAll('&amp;', '&'))

/** The file of a path of the site, as a web server that knows nothing of the site finds it. */
function findFile(path: string): string | undefined {
  const candidates = [path, join(path, 'index.html')].map((candidate) => join(folder, candidate))
  return candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile())
}

test('has a page for each document and for each example of the API', () => {
  expect(pages.size).toBeGreaterThan(listDocuments().length + listExamples().length)
})

test('every link leads to a page or file of the site, and to a heading of it', () => {
  let linkCount = 0
  const dead = [...pages].filter(([path]) => path !== '404.html').flatMap(([path, html]) => attributes(html, 'href').filter((href) => {
    if (/^[a-z]+:/.test(href)) return false
    linkCount++
    const [target = '', anchor] = decodeURI(href).split('#')
    const file = target === '' ? path : findFile(target.startsWith('/') ? target.slice(1) : join(dirname(path), target))
    if (file === undefined) return true
    const html2 = pages.get(target === '' ? path : relative(folder, file))
    return anchor !== undefined && anchor !== '' && html2 !== undefined && !attributes(html2, 'id').includes(anchor)
  }).map((href) => `${path}: ${href}`))
  expect(linkCount).toBeGreaterThan(1_000)
  expect(dead).toEqual([])
})

test('loads nothing from elsewhere', () => {
  const loaded = [...pages].flatMap(([, html]) => [
    ...attributes(html, 'src'), ...[...html.matchAll(/<link\s[^>]*>/g)].flatMap(([tag]) => attributes(tag, 'href')),
  ])
  expect(loaded.length).toBeGreaterThan(100)
  expect(loaded.filter((url) => /^(?:[a-z]+:)?\/\//.test(url) && !url.startsWith('data:'))).toEqual([])
})

test('the sidebar leads to every first page, guide, recipe and comparison', () => {
  const sidebar = JSON.stringify(config.themeConfig?.sidebar)
  const own = listDocuments().filter((path) => /^docs\/(?:start|guide|recipes|compare)\/(?!index\.md$)/.test(path))
  expect(own.length).toBeGreaterThan(25)
  expect(own.filter((path) => !sidebar.includes(`"/${path.replace(/\.md$/, '')}"`))).toEqual([])
})

test('the search knows the pages', () => {
  const index = globSync('assets/chunks/*localSearchIndex*.js', { cwd: folder }).map((path) => readFileSync(join(folder, path), 'utf8')).join('')
  for (const word of ['responder', 'compilerules', 'hayabusa', 'watermark']) expect(index.toLowerCase()).toContain(word)
})

describe('examples of the API', () => {
  test.for(listExamples())('$path prints what its page shows', ({ path, output }) => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '..', path)], { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: output, stderr: '' })
  })
})

describe('a document as a page', () => {
  const documents = new Set(['README.md', 'docs/guide/README.md', 'packages/engine/README.md'])

  test.for<[markdown: string, text: string, files: readonly string[]]>([
    ['[a](../../README.md)', '[a](/)', []],
    ['[a](../../packages/engine/README.md#exports)', '[a](/packages/engine/#exports)', []],
    ['[a](../../packages/engine)', '[a](/packages/engine/)', []],
    ['[a](README.md#x)', '[a](/docs/guide/#x)', []],
    ['[`code`](../../LICENSE)', '[`code`](/LICENSE.txt)', ['LICENSE']],
    ['[a](../../packages/engine/src/engine.ts)', '[a](/packages/engine/src/engine.ts)', ['packages/engine/src/engine.ts']],
    ['[a](../../packages)', 'a', []],
    ['[a](https://example.org/x)', '[a](https://example.org/x)', []],
    ['{{ x }}', '&#123;&#123; x }}', []],
    ['```output\n{{ [a](b) }}\n```', '```text\n{{ [a](b) }}\n```', []],
  ])('%j', ([markdown, text, files]) => {
    expect(placeDocument('docs/guide/README.md', markdown, documents)).toMatchObject({ text, files })
  })
})
