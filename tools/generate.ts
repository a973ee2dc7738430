// Rewrites what is generated: `node tools/generate.ts`. What it would change, generated.test.ts reports.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillTables } from './doc-tables.ts'
import { listFiles, readText, repositoryRoot } from './workspace.ts'

for (const path of listFiles('{docs,packages}/**/*.md')) {
  const text = readText(path)
  const filled = fillTables(path, text)
  if (filled === text) continue
  writeFileSync(join(repositoryRoot, path), filled)
  process.stdout.write(`${path}\n`)
}
