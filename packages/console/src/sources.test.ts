import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { Visitor, parseSync } from 'vite'
import { describe, expect, test } from 'vitest'
import { enAlertPanel } from './i18n/en/alert-panel.ts'
import { enAlerts } from './i18n/en/alerts.ts'
import { enCommon } from './i18n/en/common.ts'
import { en } from './i18n/en/index.ts'
import { enOverlays } from './i18n/en/overlays.ts'
import { enPalette } from './i18n/en/palette.ts'
import { enTools } from './i18n/en/tools.ts'
import { ko } from './i18n/ko/index.ts'

const folder = import.meta.dirname
const sources = new Map(
  globSync('**/*.{ts,tsx}', { cwd: folder })
    .filter((path) => !/\.test\.tsx?$/.test(path) && !path.startsWith('i18n/e') && !path.startsWith('i18n/k'))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
)
const code = [...sources.values()].join('\n')

/** The modules of the console that a text imports, at once or later. */
function listImports(path: string, text: string): readonly string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) => posix.join(posix.dirname(path), target))
}

describe('the catalogues', () => {
  test('every key is used, whole or as the beginning of a computed one', () => {
    const computed = [...code.matchAll(/`([a-z][\w.]*\.)\$\{/g)].map(([, prefix = '']) => prefix)
    const unused = Object.keys(en).filter((key) => !code.includes(`'${key}'`) && !computed.some((prefix) => key.startsWith(prefix)))
    expect(unused).toEqual([])
  })

  test('Korean has every text, in Korean, with the same parameters', () => {
    const print = (message: unknown): string => JSON.stringify(message)
    const listParameters = (message: unknown): string[] =>
      [...new Set([...print(message).matchAll(/\{\w+\}/g)].map(([name]) => name))].sort()
    const keys = Object.keys(en) as (keyof typeof en)[]
    expect(Object.keys(ko).sort()).toEqual([...keys].sort())
    expect(keys.filter((key) => listParameters(ko[key]).join() !== listParameters(en[key]).join())).toEqual([])
    // Names of formats, units and parameters are the same everywhere.
    const formats = ['reports.column.hash', 'reports.format.pdf', 'reports.format.csv', 'reports.format.json', 'reports.format.html']
    const sameEverywhere = new Set<string>(['app.name', 'look.zone.utc', ...formats])
    const hasWords = (message: unknown): boolean => /[a-z]{3}/i.test(print(message).replaceAll(/\{\w+\}/g, ''))
    expect(keys.filter((key) => !sameEverywhere.has(key) && !/\p{Script=Hangul}/u.test(print(ko[key])) && hasWords(en[key]))).toEqual([])
  })

  test('what the first page shows uses the texts that are loaded with it', () => {
    // What opens at a click loads its own.
    const known = Object.keys({ ...enCommon, ...enAlerts, ...enAlertPanel, ...enOverlays, ...enPalette, ...enTools })
    const missing = [...sources].filter(([path]) => /^(?:pages\/alerts|frame|ui|api|lib)\//.test(path)).flatMap(([path, text]) => {
      const keys = [...text.matchAll(/\bt\(\s*['`]([\w.]+)/g)].map(([, key = '']) => key)
      return keys.filter((key) => !known.some((one) => one.startsWith(key))).map((key) => `${path}: ${key}`)
    })
    expect(missing).toEqual([])
  })

  test('every page uses the texts that are loaded with it', async () => {
    const textsOf = async (path: string): Promise<readonly string[]> =>
      Object.values((await import(`./${path}`)) as { readonly [name: string]: object }).flatMap(Object.keys)
    const routes = sources.get('routes.tsx') ?? ''
    const [, portalTexts = ''] = /const loadPortalTexts = ([^]*?)\n\}\n/.exec(routes) ?? []
    const rows = routes.split(/\n {2}\{\n/).slice(1).map((row) => row.split('\n  },\n', 1)[0]!.replace('loadPortalTexts', portalTexts))
    const missing: string[] = []
    for (const row of rows) {
      const loaded = listImports('routes.tsx', row)
      const reached = new Set(loaded.filter((path) => path.startsWith('pages/')))
      const texts = new Set(loaded.filter((path) => path.startsWith('i18n/en/')))
      for (const path of reached) {
        for (const imported of listImports(path, sources.get(path) ?? '')) {
          if (imported.startsWith('i18n/en/')) texts.add(imported)
          else if (sources.has(imported) && !/^(?:i18n|routes)/.test(imported)) reached.add(imported)
        }
      }
      const known = [Object.keys(enCommon), ...await Promise.all([...texts].map(textsOf))].flat()
      for (const path of reached) {
        const keys = [...(sources.get(path) ?? '').matchAll(/\bt\(\s*['`]([\w.]+)/g)].map(([, key = '']) => key)
        missing.push(...keys.filter((key) => !known.some((one) => one.startsWith(key))).map((key) => `${path}: ${key}`))
      }
    }
    expect(rows.length).toBeGreaterThan(10)
    expect(missing).toEqual([])
  })

  test('no text stands outside of them', () => {
    const bare: string[] = []
    for (const [path, text] of sources) {
      if (!path.endsWith('.tsx') || path.startsWith('dev/')) continue
      new Visitor({
        JSXText: ({ value }) => {
          if (/\p{L}{2}/u.test(value)) bare.push(`${path}: ${value.trim()}`)
        },
      }).visit(parseSync(path, text).program)
    }
    expect(bare).toEqual([])
  })
})

describe('the styles', () => {
  const modules = globSync('**/*.module.css', { cwd: folder })

  test.for(modules)('%s: every class is used, and every class that is used exists', (path) => {
    const css = readFileSync(join(folder, path), 'utf8')
    const stated = new Set([...css.matchAll(/\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g)].map(([, name = '']) => name))
    const users = [...sources].filter(([user, text]) =>
      [...text.matchAll(/from '(\.[^']+\.module\.css)'/g)].some(([, imported = '']) => posix.join(posix.dirname(user), imported) === path))
    const used = users.flatMap(([, text]) => [...text.matchAll(/styles\['([\w-]+)'\]/g)].map(([, name = '']) => name))
    const isComputed = users.some(([, text]) => /styles\[[a-z]\w*\]/.test(text))
    expect(users.length).toBeGreaterThan(0)
    expect(used.filter((name) => !stated.has(name))).toEqual([])
    if (!isComputed) expect([...stated].filter((name) => !used.includes(name))).toEqual([])
  })
})
