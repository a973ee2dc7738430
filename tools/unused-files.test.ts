import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fontPackage, isForDevelopers, listUnusedFonts } from './unused-files.mjs'
import { readText, repositoryRoot } from './workspace.ts'

const printerPath = 'packages/server/src/reports/print-pdf.ts'

test('all fonts but those of reports are unused', () => {
  const require = createRequire(join(repositoryRoot, printerPath))
  const folder = dirname(require.resolve(`${fontPackage}/package.json`))
  const all = listUnusedFonts(folder, [])
  const unused = listUnusedFonts(folder, [readText(printerPath)])
  const used = all.filter((name) => !unused.includes(name))
  expect(used).toEqual(['IBMPlexSansKR_400Regular.ttf', 'IBMPlexSansKR_700Bold.ttf'])
  expect(unused.length).toBeGreaterThan(5)
})

test.for<[path: string, isUnused: boolean]>([
  ['node_modules/.pnpm/zod@4/node_modules/zod/index.d.cts', true],
  ['node_modules/zod/src/index.ts', true],
  ['node_modules/hono/dist/index.js.map', true],
  ['node_modules/hono/README.md', true],
  ['node_modules/xml2js/lib/xml2js.bc.js', true],
  ['node_modules/pdfkit/.yarn/releases/yarn.cjs', true],
  ['node_modules/xml2js/lib/xml2js.js', false],
  ['node_modules/hono/dist/index.js', false],
  [`node_modules/hono/${'LICENSE'}.md`, false],
  ['node_modules/pdfkit/package.json', false],
])('%s: %s', ([path, isUnused]) => {
  expect(isForDevelopers(path)).toBe(isUnused)
})
