import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { fontPackage, listUnusedFonts } from './unused-fonts.mjs'
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
