import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Prints the modules that importing one loads. */
const program = `
import { registerHooks } from 'node:module'
const loaded = []
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
await import(process.argv[1])
console.log(JSON.stringify(loaded))
`

async function listLoadedModules(url: URL): Promise<readonly string[]> {
  const args = ['--no-warnings', '--input-type=module', '--eval', program, url.href]
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 16 * 1_048_576 })
  return JSON.parse(stdout) as string[]
}

// Each is needed by few: reports as PDF, repositories sealed for age, object stores, mails, logins at identity providers.
const lazyLibraries = [
  '@node-saml/node-saml', '@xmldom/xmldom', 'age-encryption', 'aws4fetch', 'fontkit', 'nodemailer', 'openid-client', 'pdfkit',
]

test.for([
  ['commands of admins', '../src/admin-api.ts'],
  ['servers', '../src/server.ts'],
] as const)('libraries for reports and backups are not among what %s load', { timeout: 300_000 }, async ([, path]) => {
  const loaded = await listLoadedModules(new URL(path, import.meta.url))
  expect(loaded.filter((url) => url.includes('/node_modules/')).length).toBeGreaterThan(10)
  expect(loaded.filter((url) => lazyLibraries.some((name) => url.includes(`/node_modules/${name}/`)))).toEqual([])
})
