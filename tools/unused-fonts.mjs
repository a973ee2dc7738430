// The fonts that are fetched and never used. No dependencies: the first run of a user has it too.
import { readdirSync } from 'node:fs'

/** Where the package of the fonts of reports is, inside a folder of packages. */
export const fontPackage = '@expo-google-fonts/ibm-plex-sans-kr'

/** The files of fonts, and the pictures of them, that no source names: seven weights, of which reports use two. */
export function listUnusedFonts(folder, sources) {
  return readdirSync(folder).filter((name) => /\.(?:ttf|png)$/.test(name) && !sources.some((text) => text.includes(name)))
}
