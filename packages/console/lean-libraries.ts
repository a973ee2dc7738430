import { basename, dirname } from 'node:path'
import type { Plugin } from 'vite'

/** A module of a library that pages never use, or use little of: what its path ends with, and what stands in its place. */
type LeanModule = { readonly end: string; readonly code: string }

const leanModules: readonly LeanModule[] = [
  // Pages scroll inside their lists; the router restores the place of a window, which never scrolls.
  {
    end: '/router-core/dist/esm/scroll-restoration.js',
    code: `export const setupScrollRestoration = () => {}
export const defaultGetScrollRestorationKey = () => ''
export const getElementScrollRestorationEntry = () => undefined
export const storageKey = ''`,
  },
  // What addresses look like is said where the router is created.
  {
    end: '/router-core/dist/esm/searchParams.js',
    code: `export const defaultParseSearch = () => ({})
export const defaultStringifySearch = () => ''
export const parseSearchWith = () => defaultParseSearch
export const stringifySearchWith = () => defaultStringifySearch`,
  },
  // Icons here have a size and a class; they need no provider and no names of other versions of the library.
  {
    end: '/lucide-react/dist/esm/createLucideIcon.mjs',
    code: `import { createElement } from 'react'
const look = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 2, strokeLinecap: 'round', strokeLinejoin: 'round' }
export default ({ node }) => {
  const parts = node.map(([tag, attributes]) => createElement(tag, attributes))
  return ({ size = 24, ...rest }) =>
    createElement('svg', { ...look, width: size, height: size, 'aria-hidden': !('aria-label' in rest), ...rest }, parts)
}`,
  },
]

/**
 * Leaves out what pages never use of their libraries, so that the first page stays small. The build fails where a library no longer
 * has such a module, or uses something of it that its substitute lacks.
 */
export function leanLibraries(): Plugin {
  const found = new Set<string>()
  return {
    name: 'lean-libraries',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      const lean = leanModules.find(({ end }) => id.endsWith(end))
      if (lean === undefined) return undefined
      found.add(lean.end)
      return { code: lean.code, moduleType: 'js' }
    },
    buildEnd(error) {
      const missed = leanModules.filter(({ end }) => !found.has(end)).map(({ end }) => end)
      if (error === undefined && missed.length > 0) throw new Error(`no library has the modules ${missed.join(', ')} any more`)
    },
  }
}

/** The name of a class in all pages: its folder, its sheet and itself, which compress better than a hash. */
export function printClassName(name: string, path: string): string {
  const [sheet = path] = path.split('?')
  return `${basename(dirname(sheet))}-${basename(sheet, '.module.css')}_${name}`
}
