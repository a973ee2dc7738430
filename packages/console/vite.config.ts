import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'
import type { Plugin, Rolldown } from 'vite'
import { hashSources } from './hash-sources.mjs'
import { leanLibraries, printClassName } from './lean-libraries.ts'

type CodeSplittingGroup = Rolldown.CodeSplittingGroup
type CodeSplittingNameFunction = Rolldown.CodeSplittingNameFunction
type ChunkingContext = Rolldown.ChunkingContext

/** Files that are smaller than this are sent as they are: compressing them saves no packet. */
const compressedBytesMin = 1_024

/** From the weakest to the strongest. */
const layerOrder = '@layer reset,tokens,base,ui,pages;'

export default defineConfig(({ command }) => {
  // A test runner that starts the build sets another one, which would bundle React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    root: import.meta.dirname,
    build: {
      outDir: join(import.meta.dirname, 'dist', 'site'),
      emptyOutDir: true,
      // Not the default `assets`, which is the address of a page.
      assetsDir: 'files',
      manifest: 'manifest.json',
      target: 'es2023',
      // Inlined files are `data:` URLs, which the content security policy refuses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      rolldownOptions: { output: { codeSplitting: { groups: shareFiles() } } },
    },
    css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: printClassName } },
    server: {
      proxy: Object.fromEntries(['/v1', '/ingest', '/.well-known'].map((path) => [path, { target: 'http://127.0.0.1:8080', ws: true }])),
    },
    plugins: [leanLibraries(), preloadFirst(), orderLayers(), compressFiles()],
  }
})

/** Pages that import a module at least, so that it is in a file of what they share: many small files compress badly. */
const minShareCount = 9

/** What most pages share is two files: the first page loads only that of what it needs itself. */
function shareFiles(): CodeSplittingGroup[] {
  let first: ReadonlySet<string> | undefined
  const isFirst: CodeSplittingNameFunction = (id, graph) => {
    first ??= listImported(['index.html', 'src/pages/alerts/alerts-page.tsx'].map((path) => join(import.meta.dirname, path)), graph)
    return first.has(id) ? 'shared' : null
  }
  return [{ name: isFirst, minShareCount, priority: 1 }, { name: 'shared-later', minShareCount, includeDependenciesRecursively: false }]
}

/** Modules and all that they import before they run. */
function listImported(modules: readonly string[], graph: ChunkingContext): ReadonlySet<string> {
  const found = new Set(modules)
  for (const id of found) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  return found
}

/** The page that is opened most, and its texts. */
const firstModules = ['/pages/alerts/alerts-page.tsx', '/i18n/en/alerts.ts', '/i18n/en/alert-panel.ts']

/**
 * Preloads the fonts of Latin text, which every page shows, and all that the page that is opened most needs before it shows: a browser
 * finds what a chunk imports only once it has the chunk, which is one answer more to wait for.
 */
function preloadFirst(): Plugin {
  return {
    name: 'preload-first',
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const files = Object.values(bundle)
        const fonts = files.filter(({ type, fileName }) => type === 'asset' && /(?:inter|mono)-latin-wght-normal.*\.woff2$/.test(fileName))
        const chunks = files.filter((file) => file.type === 'chunk')
        const first = chunks.filter(({ facadeModuleId }) => firstModules.some((path) => facadeModuleId?.endsWith(path) === true))
        const needed = new Set(first)
        for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
        const styles = [...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        const isNew = (fileName: string): boolean => !html.includes(fileName)
        return [
          ...fonts.map(({ fileName }) => ({ rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: true, href: `/${fileName}` })),
          ...[...needed].map(({ fileName }) => fileName).filter(isNew).map((fileName) => ({ rel: 'modulepreload', href: `/${fileName}` })),
          ...[...new Set(styles)].filter(isNew).map((fileName) => ({ rel: 'stylesheet', href: `/${fileName}` })),
        ].map((attrs) => ({ tag: 'link', attrs, injectTo: 'head' as const }))
      },
    },
  }
}

/**
 * Begins each style sheet with the order of the cascade layers. The first sheet that arrives decides it, and which one that is
 * depends on how pages share components.
 */
function orderLayers(): Plugin {
  return {
    name: 'order-layers',
    generateBundle: {
      order: 'post',
      handler: (_options, bundle) => {
        for (const file of Object.values(bundle)) {
          if (file.type === 'asset' && file.fileName.endsWith('.css')) file.source = layerOrder + Buffer.from(file.source).toString()
        }
      },
    },
  }
}

/** Writes `.br` and `.gz` beside each text file, so that the server compresses nothing, and the hash of the sources. */
function compressFiles(): Plugin {
  let site = ''
  return {
    name: 'compress-files',
    apply: 'build',
    configResolved: ({ build }) => {
      site = build.outDir
    },
    writeBundle() {
      for (const path of readdirSync(site, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg)$/.test(path)) continue
        const file = join(site, path)
        const bytes = readFileSync(file)
        if (bytes.length < compressedBytesMin) continue
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
      writeFileSync(join(site, 'sources.txt'), `${hashSources(join(import.meta.dirname, '..', '..'))}\n`)
    },
  }
}
