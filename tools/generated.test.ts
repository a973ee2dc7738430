import { expect, test } from 'vitest'
import { buildControlMaps, controlMapsPath } from './build-control-maps.ts'
import { buildKernel, kernelBytesPath } from './build-kernel.ts'
import { generateTypes } from '../packages/client/test/generate-types.ts'
import { profiles } from '../packages/contract/src/public/profile.ts'
import {
  buildOpenApi, buildPublicOpenApi, examplesPath, getClientTypesPath, getPublicOpenApiPath, openApiPath, publicExamplesPath,
} from './build-openapi.ts'
import { buildParser, parserPath } from './build-parser.ts'
import { docTables, fillTables } from './doc-tables.ts'
import { fillManualPages } from './manual-pages.ts'
import { programs } from './release/programs.ts'
import { listFiles, readText } from './workspace.ts'

const documents = listFiles('{docs,packages}/**/*.md').map((path) => ({ path, text: readText(path) }))

test.for(documents.filter(({ text }) => text.includes('<!-- table: ')))(
  'the tables of $path are what the code says (node tools/generate.ts)',
  ({ path, text }) => {
    expect(text).toBe(fillTables(path, text))
  },
)

test.for(Object.values(programs))('the package of $name names the manual page of each command (node tools/generate.ts)', ({ name, folder }) => {
  const manifest = readText(`${folder}/package.json`)
  expect(manifest).toContain(`"./dist/man/${name}-completion.1"`)
  expect(manifest).toBe(fillManualPages(manifest))
})

test('the kernel is what its sources say (node tools/generate.ts)', async () => {
  expect(await buildKernel()).toBe(readText(kernelBytesPath))
})

test('the parser of the search language is what its grammar says (node tools/generate.ts)', () => {
  expect(buildParser()).toBe(readText(parserPath))
})

test('the control maps are what their table says (node tools/generate.ts)', () => {
  expect(buildControlMaps()).toBe(readText(controlMapsPath))
})

test('the OpenAPI document is what the routes say and a server answers (node tools/generate.ts)', async () => {
  const { document, examples } = await buildOpenApi()
  expect(examples).toBe(readText(examplesPath))
  expect(document).toBe(readText(openApiPath))
})

test('the documents of the public API are what its routes say and a server answers (node tools/generate.ts)', async () => {
  const { documents, examples } = await buildPublicOpenApi()
  expect(examples).toBe(readText(publicExamplesPath))
  for (const profile of profiles) {
    expect(documents[profile]).toBe(readText(getPublicOpenApiPath(profile)))
    expect(await generateTypes(documents[profile], profile)).toBe(readText(getClientTypesPath(profile)))
  }
})

test.for(Object.keys(docTables))('the table %s is shown somewhere', (name) => {
  expect(documents.some(({ text }) => text.includes(`<!-- table: ${name} -->`))).toBe(true)
})

test('a document that asks for an unknown table is refused', () => {
  expect(() => fillTables('a.md', '<!-- table: colours -->\n<!-- /table -->'))
    .toThrow("a.md asks for the table 'colours', which does not exist")
})

test('what stood in a table is replaced, what stands around it is kept', () => {
  const filled = fillTables('a.md', 'before\n<!-- table: diagnostics -->\noutdated\n<!-- /table -->\nafter')
  expect(filled).toMatch(/^before\n<!-- table: diagnostics -->\n\n\| code \| meaning \|\n/)
  expect(filled).toMatch(/\n\n<!-- \/table -->\nafter$/)
  expect(filled).not.toContain('outdated')
})
