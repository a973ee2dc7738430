import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createContext, runInContext } from 'node:vm'

/** What is used of Microsoft's parser, which was made from C# and has types of 1.7 MB. */
type KustoLanguage = {
  readonly KustoCode: { readonly ParseAndAnalyze: (text: string, globals: object) => KustoCode }
  readonly GlobalState: { readonly Default: object }
}
type KustoCode = { readonly GetDiagnostics: () => { readonly Count: number; readonly getItem: (at: number) => { readonly Message: string } } }

let language: KustoLanguage | undefined

/** What Microsoft's parser finds wrong with a query over `events`, whose columns these are. */
export function findKustoProblems(query: string, columns: readonly string[]): string[] {
  language ??= loadLanguage()
  // Columns are texts, but for those whose parts are asked for.
  const types = new Map(columns.map((name) => [name.split('.')[0]!, name.includes('.') ? 'dynamic' : 'string']))
  const quote = (name: string): string => `['${name.replaceAll(/['\\]/g, String.raw`\$&`)}']`
  const table = Array.from(types, ([name, type]) => `${quote(name)}: ${type}`).join(', ')
  const code = language.KustoCode.ParseAndAnalyze(`let events = datatable(${table})[];\n${query}`, language.GlobalState.Default)
  const found = code.GetDiagnostics()
  return Array.from({ length: found.Count }, (_, at) => found.getItem(at).Message)
}

/** The package is scripts for pages, which leave what they make in the global object. */
function loadLanguage(): KustoLanguage {
  const folder = dirname(createRequire(import.meta.url).resolve('@kusto/language-service-next'))
  const context = createContext({ console })
  for (const name of ['bridge.min.js', 'Kusto.Language.Bridge.min.js']) runInContext(readFileSync(join(folder, name), 'utf8'), context, { filename: name })
  return (context as { readonly Kusto: { readonly Language: KustoLanguage } }).Kusto.Language
}
