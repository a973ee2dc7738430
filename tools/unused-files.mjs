// Files that are fetched and never used by what runs. No dependencies: the first run of a user has it too.
import { readdirSync } from 'node:fs'

/** Where the package of the fonts of reports is, inside a folder of packages. */
export const fontPackage = '@expo-google-fonts/ibm-plex-sans-kr'

/** The files of fonts, and the pictures of them, that no source names: seven weights, of which reports use two. */
export function listUnusedFonts(folder, sources) {
  return readdirSync(folder).filter((name) => /\.(?:ttf|png)$/.test(name) && !sources.some((text) => text.includes(name)))
}

/**
 * Whether a file of a package is for developers alone: declarations, sources and their maps, and what two packages were published
 * with by mistake, a second build for browsers and a package manager. Licences stay.
 */
export function isForDevelopers(path) {
  return /\.(?:map|d\.[cm]?ts|ts|markdown)$|(?<!LICENSE)\.md$|\/xml2js\/lib\/xml2js\.bc\.js$|\/pdfkit\/\.yarn\//.test(path)
}
