// Rewrites what is generated: `node tools/generate.ts`. What it would change, generated.test.ts reports.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildControlMaps, controlMapsPath } from './build-control-maps.ts'
import { buildKernel, kernelBytesPath } from './build-kernel.ts'
import { generateTypes } from '../packages/client/test/generate-types.ts'
import { profiles } from '../packages/contract/src/public/profile.ts'
import {
  buildOpenApi, buildPublicOpenApi, examplesPath, getClientTypesPath, getPublicOpenApiPath, openApiPath, publicExamplesPath,
} from './build-openapi.ts'
import { buildParser, parserPath } from './build-parser.ts'
import { fillTables } from './doc-tables.ts'
import { fillManualPages } from './manual-pages.ts'
import { programs } from './release/programs.ts'
import { listFiles, readText, repositoryRoot } from './workspace.ts'

for (const path of listFiles('{docs,packages}/**/*.md')) {
  rewrite(path, fillTables(path, readText(path)))
}
for (const { folder } of Object.values(programs)) {
  const path = `${folder}/package.json`
  rewrite(path, fillManualPages(readText(path)))
}
rewrite(kernelBytesPath, await buildKernel())
rewrite(parserPath, buildParser())
rewrite(controlMapsPath, buildControlMaps())
const { document, examples } = await buildOpenApi()
rewrite(openApiPath, document)
rewrite(examplesPath, examples)
const publicApi = await buildPublicOpenApi()
for (const profile of profiles) {
  rewrite(getPublicOpenApiPath(profile), publicApi.documents[profile])
  rewrite(getClientTypesPath(profile), await generateTypes(publicApi.documents[profile], profile))
}
rewrite(publicExamplesPath, publicApi.examples)

function rewrite(path: string, text: string): void {
  if (text === readText(path)) return
  writeFileSync(join(repositoryRoot, path), text)
  process.stdout.write(`${path}\n`)
}
