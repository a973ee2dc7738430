// Saves the OpenAPI documents of the public API as those of a release, without texts and examples: `node tools/save-released-api.ts`.
// Tests compare the documents of the routes with them, so that what was released stays.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readText, repositoryRoot } from './workspace.ts'

/** Objects whose keys are names. */
const tables = new Set(['properties', 'schemas', 'responses', 'headers'])

/** What tells readers something and promises nothing. */
const dropped = new Set(['description', 'summary', 'example', 'examples', 'info', 'servers', 'securitySchemes'])

for (const name of ['public-a', 'public-b']) {
  const document: unknown = JSON.parse(readText(`docs/api/${name}.json`))
  writeFileSync(join(repositoryRoot, 'fixtures/api', `${name}.json`), `${JSON.stringify(strip(document))}\n`)
}

/** A copy without texts; names of properties and parameters stay, whatever they are. */
function strip(value: unknown, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((each) => strip(each))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => isNames || !dropped.has(name))
  return Object.fromEntries(kept.map(([name, each]) => [name, strip(each, !isNames && tables.has(name))]))
}
