import type { ComponentType } from 'react'
import type { Catalogue, MessageKey } from '../i18n/message.ts'
import type { Icon } from '../ui/icons.tsx'

/** A page of the console: a row of `routes.tsx`. */
export type PageRow = {
  readonly path: string
  /** The parameter that names one entry of the page's list: `/alerts/{id}` leads to `/alerts?alert={id}`. */
  readonly entry?: string
  /** Whether it shows one entry of its list as a page, at `/alerts/{id}`: it stays what it is, so that the list is still there. */
  readonly hasEntryPages?: true
  /** Whether its address states a range that it shares with the others: one that was chosen goes along. */
  readonly hasRange?: true
  /** Further pages below it, by the last part of their path. */
  readonly loadParts?: { readonly [part: string]: () => Promise<{ readonly Page: ComponentType }> }
  /** Loads the page of one entry, where it has one of its own in place of a panel beside the list. */
  readonly loadEntry?: () => Promise<{ readonly Page: ComponentType }>
  readonly label: MessageKey
  readonly icon: Icon
  readonly group?: 'investigate' | 'detect' | 'operate' | 'administer'
  /** The keys that lead to it, such as `g a`. */
  readonly keys: string
  /** Loads its texts in English, where they are not part of the entry. */
  readonly loadTexts?: () => Promise<Partial<Catalogue>>
  /** Loads its component; each page is a chunk of its own. */
  readonly load: () => Promise<{ readonly Page: ComponentType }>
}
