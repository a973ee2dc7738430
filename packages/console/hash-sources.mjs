import { createHash } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What a build is made of, from the root of the repository: the console, the packages inside it, and the versions of the others. */
const inputs = [
  'packages/console/src', 'packages/console/public', 'packages/console/index.html', 'packages/console/package.json',
  'packages/console/vite.config.ts', 'packages/console/lean-libraries.ts', 'packages/query/src', 'packages/engine/src',
  'packages/rule-tools/src', 'packages/common/src', 'pnpm-lock.yaml',
]

/** A hash of the sources of the console, by which a build that is out of date is noticed. Has no dependency. */
export function hashSources(root) {
  const hash = createHash('sha256')
  for (const path of inputs.flatMap((input) => listFiles(root, input))) hash.update(path).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

function listFiles(root, path) {
  if (/\.\w+$/.test(path)) return [path]
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter(({ name }) => !/\.test\.tsx?$/.test(name))
    .flatMap((entry) => (entry.isDirectory() ? listFiles(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`]))
    .sort((a, b) => (a < b ? -1 : Number(a > b)))
}
