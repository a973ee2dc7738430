import { join } from 'node:path'
import { defineConfig } from 'vite'

/** The workbench of rules without a server: static files that any web server serves, under any path. */
export default defineConfig(({ command }) => {
  // A test runner that starts the build sets another one, which would bundle React's development build.
  if (command === 'build') process.env['NODE_ENV'] = 'production'
  return {
    root: join(import.meta.dirname, 'playground'),
    base: './',
    publicDir: join(import.meta.dirname, 'public'),
    build: {
      outDir: join(import.meta.dirname, 'dist', 'playground'),
      emptyOutDir: true,
      // Not the default `assets`, which is the address of a page.
      assetsDir: 'files',
      target: 'es2023',
      // Inlined files are `data:` URLs, which the content security policy refuses.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    worker: { format: 'es' as const },
    css: { modules: { localsConvention: 'camelCaseOnly' as const } },
  }
})
