import { ccpa } from './ccpa.ts'
import { cmmc } from './cmmc.ts'
import { gdpr } from './gdpr.ts'
import { ismsp } from './ismsp.ts'
import { iso27001 } from './iso27001.ts'
import { nistcsf } from './nistcsf.ts'
import { pcidss } from './pcidss.ts'
import type { Catalogue } from './read-catalogue.ts'
import { soc2 } from './soc2.ts'
import { tisax } from './tisax.ts'

/** The nine frameworks, in the order of the API's document. */
export const catalogues: readonly Catalogue[] = [ismsp, iso27001, soc2, pcidss, tisax, cmmc, gdpr, ccpa, nistcsf]

/** Finds a framework by its token; case, hyphens, underscores, dots and blanks do not matter. Undefined if there is none. */
export function findCatalogue(token: string): Catalogue | undefined {
  const plain = token.toLowerCase().replaceAll(/[-_. ]/g, '')
  return catalogues.find((catalogue) => catalogue.token === plain)
}
