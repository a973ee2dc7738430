// Builds the documentation as a site of static pages with a search: `npm run site`, into dist/site.
//
//   npm run site -- [FOLDER]
//
// The documents of the repository are copied to dist/site-source, where links lead to pages of the site or to copies of files, and
// the pages of the API are written from docstrings and examples. VitePress makes pages of all of them, and refuses dead links. The
// playground of rules is a part of the site.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { build } from 'vitepress'
import { readText, repositoryRoot } from '../tools/workspace.ts'
import { apiPages } from './api-pages.ts'
import { listDocuments, placeDocument, toPublicPath } from './documents.ts'

const source = join(repositoryRoot, 'dist/site-source')
const output = resolve(process.argv[2] ?? join(repositoryRoot, 'dist/site'))
rmSync(source, { recursive: true, force: true })

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(source, path)), { recursive: true })
  writeFileSync(join(source, path), text)
}
const copied = new Set<string>()
const documents = listDocuments()
for (const path of documents) {
  const { page, text, files } = placeDocument(path, readText(path), new Set(documents))
  write(page, text)
  for (const file of files) copied.add(file)
}
for (const { page, text } of apiPages()) write(page, text)
for (const file of copied) cpSync(join(repositoryRoot, file), join(source, 'public', toPublicPath(file)))
cpSync(join(repositoryRoot, 'packages/console/public/favicon.svg'), join(source, 'public/favicon.svg'))
await build(import.meta.dirname, { outDir: output })
buildPlayground(join(output, 'playground'))
process.stdout.write(`${output}\n`)

/** Builds the workbench of rules as static files of its own. */
function buildPlayground(folder: string): void {
  const cwd = join(repositoryRoot, 'packages/console')
  const options = ['build', '--config', 'vite.playground.config.ts', '--outDir', folder, '--logLevel', 'error']
  const vite = join(cwd, 'node_modules/vite/bin/vite.js')
  const { status } = spawnSync(process.execPath, [vite, ...options], { cwd, stdio: 'inherit' })
  if (status !== 0) throw new Error('the playground cannot be built')
}
