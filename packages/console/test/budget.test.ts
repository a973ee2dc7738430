import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildSite } from './open-console.ts'

type Chunk = { readonly file: string; readonly isEntry?: boolean; readonly imports?: readonly string[]; readonly css?: readonly string[] }

const site = buildSite()
const manifest = JSON.parse(readFileSync(join(site, 'manifest.json'), 'utf8')) as { readonly [source: string]: Chunk }

/** A chunk and all that it imports before it runs. */
function listChunks(source: string, found = new Set<string>()): ReadonlySet<string> {
  if (!found.has(source)) {
    found.add(source)
    for (const imported of manifest[source]?.imports ?? []) listChunks(imported, found)
  }
  return found
}

const measure = (files: Iterable<string>): number =>
  [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(site, file)), { level: 9 }).length, 0)

const pages = Object.keys(manifest).filter((source) => /^src\/pages\/(?!login).+-page\.tsx$/.test(source))

test('there are pages', () => {
  expect(pages).toContain('src/pages/alerts/alerts-page.tsx')
})

test.for(globSync('files/*.css', { cwd: site }))('%s states the order of layers, whichever sheet is loaded first', (file) => {
  expect(readFileSync(join(site, file), 'utf8')).toMatch(/^@layer reset,tokens,base,ui,pages;/)
})

test.for(pages)('%s and all that it loads first have at most 150 kB of script and 15 kB of style', (page) => {
  // All pages but the first load their texts beside their own chunk.
  const folder = page.split('/')[2] ?? ''
  const ofAuthoring = page.includes('/authoring/') ? ['rule', 'workbench'] : []
  const more = { assets: ['alerts'], portal: ['alerts', 'alert-panel'], rules: ofAuthoring }[folder] ?? []
  const texts = folder === 'alerts' ? [] : [folder, ...more].flatMap((name) => [...listChunks(`src/i18n/en/${name}.ts`)])
  const chunks = [...listChunks('index.html'), ...listChunks(page), ...texts].map((source) => manifest[source]!)
  expect(measure(chunks.map(({ file }) => file))).toBeLessThanOrEqual(150_000)
  expect(measure(chunks.flatMap(({ css = [] }) => css))).toBeLessThanOrEqual(15_000)
})
