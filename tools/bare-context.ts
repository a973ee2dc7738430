// Runs one module, read from stdin, where there is nothing but the language itself: no Node globals, no
// clock, no randomness, no code made of strings. Prints what the module exports as `answer`, as JSON.
//
//   node --experimental-vm-modules --experimental-import-meta-resolve tools/bare-context.ts < module.js
//
// The module's imports are resolved as if it stood in packages/engine.
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { SourceTextModule, createContext, runInContext } from 'node:vm'

const context = createContext({}, { codeGeneration: { strings: false, wasm: true } })
runInContext(`
  delete globalThis.console
  Math.random = () => { throw new Error('randomness was asked for') }
  Date.now = () => { throw new Error('the time was asked for') }
  globalThis.Date = new Proxy(Date, {
    construct: (target, args) => args.length === 0 ? target.now() : new target(...args),
    apply: (target) => target.now(),
  })
`, context)

const modules = new Map<string, SourceTextModule>()
const entry = createModule(new URL('../packages/engine/entry.js', import.meta.url).href, await text(process.stdin))
await entry.link(async (specifier, parent) => loadModule(import.meta.resolve(specifier, parent.identifier)))
await entry.evaluate()
process.stdout.write(JSON.stringify((entry.namespace as { answer?: unknown }).answer))

function loadModule(url: string): SourceTextModule {
  const known = modules.get(url)
  if (known !== undefined) return known
  if (!url.startsWith('file:')) throw new Error(`${url} is not a file: the engine reaches for the machine`)
  const source = readFileSync(fileURLToPath(url), 'utf8')
  return createModule(url, url.endsWith('.ts') ? stripTypeScriptTypes(source) : source)
}

function createModule(url: string, source: string): SourceTextModule {
  const module = new SourceTextModule(source, { context, identifier: url })
  modules.set(url, module)
  return module
}
